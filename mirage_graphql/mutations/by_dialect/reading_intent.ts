import {
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  Kind,
  type ValueNode,
} from "graphql";
import { createGivenArguments, hasValue, type ResolverCall } from "../../arguments/call.ts";
import { wordsOf } from "../../shared/names.ts";
import { isObject } from "../../orm/mirage/mirage_schema.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { type WriteContext, writeError } from "../../orm/writes/write_context.ts";
import { isPromiseLike } from "../../shared/values.ts";
import type { WriteIntent } from "../write_intent.ts";
import type { ArgumentReader } from "./argument_reader.ts";
import { createFinder } from "./find_records.ts";
import type { Changes } from "./value_changes.ts";

type Field = GraphQLField<unknown, unknown>;

/** What a mutation does whose arguments have roles. */
interface Reading extends Pick<WriteIntent, "action" | "isPartial" | "answer" | "refuse"> {
  readonly model: MockModel;
  readonly isBulk: boolean;
  readonly changes: Changes;
  readonly reader: ArgumentReader;
  /** Finds the record to update if no argument does. */
  readonly currentId?: ReturnType<typeof createCurrentId>;
}

/** A mutation of one model whose arguments are read by their roles. */
export function readingIntent(
  orm: Orm & WriteContext,
  field: Field,
  { model, isBulk, reader, currentId, changes, ...intent }: Reading,
): WriteIntent {
  const given = createGivenArguments(field);
  return {
    ...intent,
    ...createFinder({ ...intent, orm, model, isBulk, changes }),
    models: [model],
    read(args, call) {
      if (call !== undefined && intent.action !== "create") checkVariables(field, call);
      const items = reader.read(args, call === undefined ? args : given({ ...call, args }));
      const id = currentId?.(call);
      return id === undefined ? items : items.map((item) => ({ ...item, keys: { id } }));
    },
  };
}

/**
 * Finds the record that a mutation writes if no argument identifies it: `customerUpdate(input)`
 * updates the one that the root field `customer` returns. `undefined` unless exactly one root field
 * without arguments returns a record of the model, and the mutation is named after the model or
 * that field.
 */
export function createCurrentId(
  { graphQLSchema }: Orm,
  { name }: Field,
  { typeName }: MockModel,
): ((call: ResolverCall | undefined) => string | undefined) | undefined {
  const queryType = graphQLSchema.getQueryType();
  const fields = Object.values(queryType?.getFields() ?? {});
  const [field, ...others] = fields.filter(({ type, args }) =>
    args.length === 0 && String(getNullableType(type)) === typeName
  );
  if (!queryType || field === undefined || others.length > 0) return undefined;
  const words = wordsOf(name).join(" ");
  const isNamed = [typeName, field.name].some((one) => words.includes(wordsOf(one).join(" ")));
  return isNamed ? (call) => call && idOf(queryType, field, call) : undefined;
}

function idOf(
  parentType: GraphQLObjectType,
  { resolve, name: fieldName, type: returnType }: Field,
  { context, info }: ResolverCall,
): string | undefined {
  const own = { ...info, parentType, fieldName, returnType };
  const record = resolve?.(undefined, {}, context, own);
  if (!isObject(record) || isPromiseLike(record)) return undefined;
  return record.id === undefined || record.id === null ? undefined : String(record.id);
}

/**
 * Rejects a `where` with a variable that has no value: graphql-js omits its field, and the rest
 * would match more than requested, possibly all records.
 */
function checkVariables(
  { name }: Field,
  { info }: Pick<ResolverCall, "info">,
): void {
  for (const argument of info.fieldNodes[0]?.arguments ?? []) {
    const missing = missingIn(argument.value, info.variableValues, isFinding(argument.name.value));
    if (missing === undefined) continue;
    throw writeError(
      `Cannot find the records of ${name}: the variable "${missing}" has no value, so that ` +
        "nothing would restrict them",
    );
  }
}

function isFinding(name: string): boolean {
  return wordsOf(name).some((word) => /^(where|filters?)$/.test(word));
}

/** The name of a variable without a value among the values that find records. */
function missingIn(value: ValueNode, variables: unknown, isInside: boolean): string | undefined {
  const children = value.kind === Kind.OBJECT
    ? value.fields.map((field) => [field.value, isInside || isFinding(field.name.value)] as const)
    : value.kind === Kind.LIST
    ? value.values.map((one) => [one, isInside] as const)
    : [];
  for (const [child, isFinder] of children) {
    if (isFinder && child.kind === Kind.VARIABLE && !hasValue(child, variables)) {
      return child.name.value;
    }
    const found = missingIn(child, variables, isFinder);
    if (found !== undefined) return found;
  }
  return undefined;
}

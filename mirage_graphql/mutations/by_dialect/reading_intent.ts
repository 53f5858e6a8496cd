import { type GraphQLField, Kind, type ValueNode } from "graphql";
import { createGivenArguments, hasValue, type ResolverCall } from "../../arguments/call.ts";
import { wordsOf } from "../../shared/names.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { type WriteContext, writeError } from "../../orm/writes/write_context.ts";
import { type CurrentRecord, currentRecord } from "../by_convention/current_record.ts";
import type { WriteIntent, WriteItem } from "../write_intent.ts";
import type { ArgumentReader } from "./argument_reader.ts";
import { createFinder } from "./find_records.ts";
import type { Changes } from "./value_changes.ts";

type Field = GraphQLField<unknown, unknown>;

/** What a mutation does whose arguments have roles. */
interface Reading
  extends Pick<WriteIntent, "action" | "isPartial" | "answer" | "other" | "refuse"> {
  readonly model: MockModel;
  readonly isBulk: boolean;
  readonly changes: Changes;
  readonly reader: ArgumentReader;
  /** Names of values that are not the record's: they refer to what its answer has. */
  readonly outside?: ReadonlySet<string>;
  /** Finds the record to update if no argument does. */
  readonly currentId?: CurrentRecord["idFor"] | undefined;
}

/** A mutation of one model whose arguments are read by their roles. */
export function readingIntent(
  orm: Orm & WriteContext,
  field: Field,
  { model, isBulk, reader, currentId, changes, outside = new Set(), ...intent }: Reading,
): WriteIntent {
  const given = createGivenArguments(field);
  return {
    ...intent,
    ...createFinder({ ...intent, orm, model, isBulk, changes }),
    models: [model],
    read(args, call) {
      if (call !== undefined && intent.action !== "create") checkVariables(field, call);
      const items = reader.read(args, call === undefined ? args : given({ ...call, args }))
        .map((item) => withoutValues(item, outside));
      const id = currentId?.(call);
      return id === undefined ? items : items.map((item) => ({ ...item, keys: { id } }));
    },
  };
}

function withoutValues(item: WriteItem, names: ReadonlySet<string>): WriteItem {
  if (item.values === undefined || names.size === 0) return item;
  const values = Object.entries(item.values).filter(([name]) => !names.has(name));
  return { ...item, values: Object.fromEntries(values) };
}

/**
 * Finds the record that a mutation writes if no argument identifies it: `customerUpdate(input)`
 * updates the one that the root field `customer` returns. `undefined` unless there is such a field,
 * and the mutation is named after the model or that field.
 */
export function createCurrentId(
  orm: Orm,
  { name }: Field,
  model: MockModel,
): CurrentRecord["idFor"] | undefined {
  const current = currentRecord(orm, model);
  const words = wordsOf(name).join(" ");
  const isNamed = [model.typeName, current?.fieldName ?? model.typeName]
    .some((one) => words.includes(wordsOf(one).join(" ")));
  return isNamed ? current?.idFor : undefined;
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

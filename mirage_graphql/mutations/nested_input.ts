import {
  getNamedType,
  type GraphQLObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { type MockModel, relationNamed } from "../orm/models/model_map.ts";
import { isPlainObject } from "../shared/values.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";

/** An object type that values of an input are for. */
interface Holder {
  /** Names that lead from the input to its values. */
  readonly path: readonly string[];
  readonly model: MockModel | undefined;
  readonly type: GraphQLObjectType;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The reason, which completes "it ...", to reject nested values for which the types have no field,
 * such as `author: { connect: { id: 1 } }`: they would be stored as attributes that nothing reads.
 * Plain values at the top level that the model's type lacks, such as a password, are accepted.
 */
export function unknownNested(
  context: WriteContext,
  model: MockModel,
  input: Values,
): string | undefined {
  const type = context.graphQLSchema.getType(model.typeName);
  if (!isObjectType(type)) return undefined;
  const nested = Object.keys(input).filter((name) => isNested(input[name]));
  return firstUnknown(
    nested,
    (name) => unknownValue(context, { path: [], model, type }, [name, input[name]]),
  );
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isNested) : isPlainObject(value);
}

function unknownValue(
  context: WriteContext,
  holder: Holder,
  [name, value]: readonly [string, unknown],
): string | undefined {
  const { model, type } = holder;
  if (value === undefined || (name === "id" && model !== undefined)) return undefined;
  const path = [...holder.path, name];
  const relation = model && relationNamed(model, name);
  if (relation !== undefined) {
    const related = context.models.ofModel(relation.modelName ?? "");
    const type = context.graphQLSchema.getType(related?.typeName ?? "");
    const inputs = isObjectType(type) ? context.nested?.inputsOf(type.name, value) : undefined;
    if (inputs !== undefined && isObjectType(type)) {
      return unknownItem(context, { path, model: related, type }, inputs);
    }
    const isById = relation.name !== name || !isObjectType(type);
    return isById ? undefined : unknownItem(context, { path, model: related, type }, value);
  }
  const field = type.getFields()[name];
  if (field === undefined) return `can't write "${path.join(".")}": ${type.name} has no such field`;
  const named = getNamedType(field.type);
  if (isObjectType(named)) {
    return unknownItem(
      context,
      { path, model: context.models.ofType(named.name), type: named },
      value,
    );
  }
  const isPlain = isScalarType(named) && isSpecifiedScalarType(named);
  const { nested } = context;
  const stored = nested?.valueOf({ typeName: type.name, name, value }, undefined);
  if (!isPlain || !isNested(nested === undefined ? value : stored)) return undefined;
  return `can't write "${
    path.join(".")
  }": it is an object, and ${type.name}.${name} is ${field.type}`;
}

function unknownItem(context: WriteContext, holder: Holder, value: unknown): string | undefined {
  if (Array.isArray(value)) {
    return firstUnknown(value, (item) => unknownItem(context, holder, item));
  }
  if (!isPlainObject(value)) return undefined;
  return firstUnknown(Object.entries(value), (entry) => unknownValue(context, holder, entry));
}

function firstUnknown<T>(
  items: readonly T[],
  unknownOf: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const unknown = unknownOf(item);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { isMirageModel } from "../orm/mirage/mirage_schema.ts";
import { isModelMember } from "../orm/models/association_names.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { idFormatOf, keyTarget, readKey, toResponseId } from "../orm/records/record_ids.ts";
import { copyValue, isGiven, isObject, valueOf } from "../shared/values.ts";
import { isList } from "../schema/types.ts";
import { createMissingValue } from "./missing_value.ts";
import type { Resolve } from "../arguments/call.ts";
import { createFieldReader, readProperty, thenMap } from "./source.ts";

/**
 * Most leaves are properties of their source and need no resolver. These do: getters of
 * user-defined models; functions of the root value, which may return a whole response; values of
 * user-defined scalars, which are copied because they may be objects; attributes with the name of a
 * member of Mirage's models; and lists or root fields that must not be `null`, for which the error
 * explains why they are missing.
 */
export function createLeafResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve | undefined {
  const model = orm.models.ofType(parentType.name);
  const relation = model && relationNamed(model, field.name);
  const isGlobal = idFormatOf(orm) !== "local" && getNamedType(field.type).name === "ID";
  if (relation && (isGlobal || needsKeyReader(relation, field.name))) {
    return keyReader(orm, relation, { fieldName: field.name, isGlobal });
  }
  if (model && (field.name === model.key?.name || isGlobal && field.name === "id")) {
    return idReader(orm, model, field.name);
  }
  const isAtRoot = parentType === orm.graphQLSchema.getQueryType();
  const missing = isAtRoot || isList(field.type) || model === undefined
    ? createMissingValue(orm, parentType, field)
    : undefined;
  const named = getNamedType(field.type);
  const mayBeObject = isScalarType(named) && !isSpecifiedScalarType(named);
  const isHidden = field.name !== "id" && isModelMember(field.name);
  const isPlain = !isAtRoot && !mayBeObject && !isHidden && !model?.getters.has(field.name);
  if (isPlain && missing === undefined) return undefined;
  const read = isHidden ? attributeReader(field.name) : createFieldReader(orm, model, field.name);
  return (call) => {
    const finish = (value: unknown): unknown => {
      if (missing && !isGiven(value)) throw missing(call.source);
      return mayBeObject ? copyValue(value) : value;
    };
    // a plan reads no promises, but objects of any class
    return call.isPlanned ? finish(read(call)) : thenMap(read(call), finish, call);
  };
}

/** Foreign keys are attributes, except those in another casing and those with `{ type, id }`. */
function needsKeyReader({ name, foreignKey, modelName }: Relation, fieldName: string): boolean {
  return fieldName !== name && (fieldName !== foreignKey || modelName === undefined);
}

/** Reads the ids of a foreign key, or the source's property of the field's name. */
function keyReader(
  orm: Orm,
  relation: Relation,
  { fieldName, isGlobal }: { readonly fieldName: string; readonly isGlobal: boolean },
): Resolve {
  const idOf = (key: unknown) => {
    const { model, id } = keyTarget(orm, relation, key);
    return isGlobal ? toResponseId(orm, model, id) : id;
  };
  return (call) => {
    if (!isObject(call.source)) return undefined;
    const key = call.source[relation.foreignKey] ?? readProperty(call.source, fieldName, call);
    return Array.isArray(key) ? key.map(idOf) : idOf(key);
  };
}

/** Reads the id of a record, or the key that replaces it. */
function idReader(orm: Orm, model: MockModel, fieldName: string): Resolve {
  const read = createFieldReader(orm, model, fieldName);
  const isId = fieldName === "id";
  return (call) =>
    thenMap(read(call), (sourceValue) => {
      if (isId) return toResponseId(orm, model, sourceValue);
      return sourceValue ??
        (isObject(call.source) ? readKey(orm, model, call.source) : sourceValue);
    }, call);
}

/** Reads an attribute that a Mirage model hides with a member such as `modelName`. */
function attributeReader(name: string): Resolve {
  return (call) =>
    isMirageModel(call.source)
      ? valueOf(call.source.attrs, name)
      : readProperty(call.source, name, call);
}

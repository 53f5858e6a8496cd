import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { isMirageModel, isObject } from "../orm/mirage.ts";
import { isModelMember } from "../orm/models/association_names.ts";
import { type Relation, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { copyValue } from "../orm/values.ts";
import { isList } from "../schema/type_shapes.ts";
import { createMissingValue } from "./missing_value.ts";
import type { Resolve } from "./resolver_call.ts";
import { createFieldReader, readProperty } from "./source.ts";

/**
 * Most leaves are properties of their source and need no resolver. These do: getters of
 * user-defined models; functions of the root value, which may return a whole response; values of
 * user-defined scalars, which are copied because they may be objects; attributes with the name of a
 * member of Mirage's models; and lists or root fields that must not be `null`, for which the error
 * explains why they are.
 */
export function createLeafResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve | undefined {
  const model = orm.models.ofType(parentType.name);
  const relation = model && relationNamed(model, field.name);
  if (relation && needsKeyReader(relation, field.name)) return keyReader(relation, field.name);
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
    const value = read(call);
    if (missing && (value === undefined || value === null)) throw missing(call.source);
    return mayBeObject ? copyValue(value) : value;
  };
}

/** Foreign keys are attributes, except those in another casing and those with `{ type, id }`. */
function needsKeyReader({ name, foreignKey, modelName }: Relation, fieldName: string): boolean {
  return fieldName !== name && (fieldName !== foreignKey || modelName === undefined);
}

/** Reads the ids of a foreign key, or the source's property of the field's name. */
function keyReader({ foreignKey }: Relation, fieldName: string): Resolve {
  const idOf = (key: unknown) => isObject(key) ? key.id : key;
  return (call) => {
    if (!isObject(call.source)) return undefined;
    const key = call.source[foreignKey] ?? readProperty(call.source, fieldName, call);
    return Array.isArray(key) ? key.map(idOf) : idOf(key);
  };
}

/** Reads an attribute that a Mirage model hides behind a member such as `modelName`. */
function attributeReader(name: string): Resolve {
  return (call) => {
    if (!isObject(call.source)) return undefined;
    return isMirageModel(call.source)
      ? call.source.attrs[name]
      : readProperty(call.source, name, call);
  };
}

import {
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  isCompositeType,
  isLeafType,
  isNonNullType,
} from "graphql";
import { isList, isNestedList, possibleTypes } from "../schema/types.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { UnresolvedField } from "../shared/unresolved_field.ts";
import { createGenerate } from "./generated_value.ts";
import { isObject } from "../shared/values.ts";

/**
 * Creates the error for a missing value of a non-null field; the source's value may exist, but not
 * match the arguments.
 */
export type MissingValue = (source: unknown, sourceValue?: unknown) => GraphQLError;

/**
 * Plans the error for a missing value of a non-null field; `undefined` for a nullable field, and
 * for one whose value is generated. graphql-js would only report that it is `null`; this error
 * explains where the value should come from.
 */
export function createMissingValue(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): MissingValue | undefined {
  if (!isNonNullType(field.type)) return undefined;
  const isGenerated = orm.conventions.defaults === "generate" &&
    createGenerate(orm, parentType, field) !== undefined;
  if (isGenerated) return undefined;
  const path = `${parentType.name}.${field.name}`;
  const isRoot = parentType === orm.graphQLSchema.getQueryType();
  const named = getNamedType(field.type);
  const model = orm.models.ofType(parentType.name);
  const isOfData = isRoot
    ? isCompositeType(named) && !isNestedList(field.type)
    : model !== undefined && (isLeafType(named) || model.relations.has(field.name));
  return (source, sourceValue) => {
    const reason = sourceValue !== undefined && sourceValue !== null
      ? `what ${
        labelOf(parentType, source)
      } has doesn't fit the arguments, and the field must not be null`
      : isRoot
      ? rootReason(field)
      : parentReason(orm, parentType, field, source);
    const message = `Cannot resolve ${path}: ${reason}`;
    // what a record lacks, or a record that is missing, is a matter of data
    return isOfData || sourceValue ? new GraphQLError(message) : new UnresolvedField(message, path);
  };
}

function rootReason(field: GraphQLField<unknown, unknown>): string {
  const name = `the field "${field.name}"`;
  if (isLeafType(getNamedType(field.type))) {
    return `no record holds ${name}. Write a resolver for it, or give it to the handler as part of ` +
      'its "root"';
  }
  if (isNestedList(field.type)) {
    return `lists of lists aren't automatic. Write a resolver for ${name}`;
  }
  const type = getNamedType(field.type).name;
  return `no ${type} fits, and the field must not be null. Add a record, or write a resolver for it`;
}

function parentReason(
  { models, graphQLSchema, shapeOf }: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  source: unknown,
): string {
  const path = `${parentType.name}.${field.name}`;
  const model = models.ofType(parentType.name);
  const relation = model?.relations.get(field.name);
  if (relation !== undefined && isObject(source)) {
    const key = source[relation.foreignKey];
    const state = key === null || key === undefined
      ? `"${relation.foreignKey}" is ${key}`
      : `"${relation.foreignKey}" is ${JSON.stringify(key)}, which no record has`;
    return `${labelOf(parentType, source)} has no "${field.name}" (${state}), and the field must ` +
      "not be null";
  }
  const named = getNamedType(field.type);
  const { kind, nodeType = named } = shapeOf(named);
  const targets = isCompositeType(nodeType)
    ? possibleTypes(graphQLSchema, nodeType).flatMap(({ name }) => models.ofType(name) ?? [])
    : [];
  if (model === undefined || targets.length === 0) {
    return `${
      labelOf(parentType, source)
    } has no "${field.name}", and the field must not be null. ` +
      `Give it one, or write a resolver for ${path}`;
  }
  return `the Mirage model "${model.modelName}" has no association "${field.name}". Add ` +
    `\`${field.name}: ${
      associationText(field, targets, kind === "connection")
    }\` to it, or write a resolver for ${path}`;
}

function associationText(
  field: GraphQLField<unknown, unknown>,
  [target, ...others]: readonly MockModel[],
  isConnection: boolean,
): string {
  const options = others.length === 0 ? JSON.stringify(target?.modelName) : "{ polymorphic: true }";
  return `${isConnection || isList(field.type) ? "hasMany" : "belongsTo"}(${options})`;
}

function labelOf({ name }: GraphQLObjectType, source: unknown): string {
  const id = isObject(source) ? source.id : undefined;
  return id === undefined || id === null ? `the ${name}` : `${name} ${id}`;
}

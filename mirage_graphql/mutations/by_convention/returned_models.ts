import {
  getNamedType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isAbstractType,
  isCompositeType,
  isObjectType,
} from "graphql";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { isConnectionPart } from "../../schema/page_types.ts";
import { fieldsOf, possibleTypes } from "../../schema/types.ts";

type Schemas = Pick<Orm, "graphQLSchema" | "models" | "shapeOf">;

/** The models of the records that a mutation returns. */
export interface ReturnedModels {
  readonly models: readonly MockModel[];
  /** Those of each field of a payload, or of the value itself; of several for an abstract type. */
  readonly groups: readonly (readonly MockModel[])[];
}

/** The models of what a mutation returns: the value itself, or the fields and edges of a payload. */
export function returnedModels(
  orm: Schemas,
  type: GraphQLOutputType,
): ReturnedModels {
  const named = getNamedType(type);
  const own = membersOf(orm, named);
  const groups = own.length > 0 ? [own] : groupsIn(orm, named, MAX_DEPTH);
  return { models: [...new Set(groups.flat())], groups };
}

/** How deep payloads are read: `{ postOrError { ... on Success { post } } }` is two levels. */
const MAX_DEPTH = 2;

function groupsIn(orm: Schemas, type: GraphQLNamedType, depth: number): MockModel[][] {
  if (!isCompositeType(type)) return [];
  const fields = possibleTypes(orm.graphQLSchema, type)
    .flatMap(fieldsOf);
  return fields.flatMap((field) => {
    const inner = getNamedType(field.type);
    const edge = isObjectType(inner) && isConnectionPart(inner) ? inner : undefined;
    const node = edge?.getFields().node;
    const members = membersOf(orm, node === undefined ? inner : getNamedType(node.type));
    if (members.length > 0) return [members];
    return isAbstractType(inner) && depth > 1 ? groupsIn(orm, inner, depth - 1) : [];
  });
}

function membersOf(schemas: Schemas, type: GraphQLNamedType): MockModel[] {
  if (!isCompositeType(type)) return [];
  return possibleTypes(schemas.graphQLSchema, type).flatMap(({ name }) =>
    recordModel(schemas, name) ?? []
  );
}

/**
 * The model of a type whose records a query can show; `undefined` for others, such as a
 * `Success { ok }` that only a mutation returns.
 */
export function recordModel(
  { graphQLSchema, models, shapeOf }: Schemas,
  typeName: string,
): MockModel | undefined {
  const model = models.ofType(typeName);
  const type = graphQLSchema.getType(typeName);
  if (model === undefined || !isObjectType(type)) return undefined;
  const isRelated = models.models.some(({ relations }) =>
    [...relations.values()].some(({ modelName }) => modelName === model.modelName)
  );
  if (isRelated) return model;
  const roots = fieldsOf(graphQLSchema.getQueryType());
  const isShown = roots.some((root) => {
    const named = getNamedType(root.type);
    const { nodeType = named } = shapeOf(named);
    return isCompositeType(nodeType) && possibleTypes(graphQLSchema, nodeType).includes(type);
  });
  return isShown ? model : undefined;
}

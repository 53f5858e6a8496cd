import {
  getNamedType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isCompositeType,
  isObjectType,
} from "graphql";
import { isConnectionPart } from "../../schema/page_types.ts";
import { type Kind, mutationTypes, type ShapeOf } from "../../schema/shapes.ts";
import { possibleTypes } from "../../schema/types.ts";

/**
 * The object types whose records are kept in a model, in the order of the schema: those with a
 * user-defined model, those with an `id`, those that a query returns, and those that a mutation
 * returns directly. Excluded are amounts, payloads and other wrappers of records, errors in a union with a
 * model, types named after a mutation, root types, introspection types and the parts of Relay
 * connections.
 */
export function modelTypes(
  graphQLSchema: GraphQLSchema,
  shapeOf: ShapeOf,
  hasUserModel: (typeName: string) => boolean,
): GraphQLObjectType[] {
  const candidates = objectTypes(graphQLSchema, shapeOf);
  const query = graphQLSchema.getQueryType();
  const queried = new Set(returnedTypes(graphQLSchema, shapeOf, query ? [query] : []).flat());
  const models = new Set(
    candidates.filter((type) =>
      hasUserModel(type.name) || type.getFields().id !== undefined || queried.has(type)
    ),
  );
  const mutated = new Set(
    returnedTypes(graphQLSchema, shapeOf, mutationTypes(graphQLSchema))
      .filter((types) => !types.some((type) => models.has(type))).flat(),
  );
  const mutations = mutationNames(graphQLSchema);
  const others = candidates.filter((type) =>
    mutated.has(type) && !models.has(type) && !mutations.has(type.name) &&
    !isCarrier(type, (fieldType) => models.has(fieldType) || mutated.has(fieldType))
  );
  const all = new Set([...models, ...others]);
  return candidates.filter((type) => all.has(type));
}

/** The names of mutations of several words, as types: the payload of `postBulkDelete` may have one. */
function mutationNames(graphQLSchema: GraphQLSchema): ReadonlySet<string> {
  const names = [...mutationTypes(graphQLSchema)].filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()))
    .map((name) => name.slice(0, 1).toUpperCase() + name.slice(1));
  return new Set(names.filter((name) => /[a-z\d][A-Z]/.test(name)));
}

/**
 * Whether a type reports the outcome of a mutation: by its name, or because it contains other
 * records.
 */
function isCarrier(
  type: GraphQLObjectType,
  holdsRecords: (type: GraphQLObjectType) => boolean,
): boolean {
  if (/(Payload|Result|Response|Output)$/.test(type.name)) return true;
  return Object.values(type.getFields()).map((field) => getNamedType(field.type))
    .some((fieldType) => isObjectType(fieldType) && fieldType !== type && holdsRecords(fieldType));
}

/** What has no records of its own; a description of a page may have a user-defined model. */
const WITHOUT_RECORDS = new Set<Kind>([
  "query",
  "mutations",
  "connection",
  "connection part",
  "scalar connection",
  "shared page",
  "aggregates",
  "aggregate function",
]);

function objectTypes(graphQLSchema: GraphQLSchema, shapeOf: ShapeOf): GraphQLObjectType[] {
  return Object.values(graphQLSchema.getTypeMap()).filter(isObjectType).filter((type) =>
    type !== graphQLSchema.getSubscriptionType() && !type.name.startsWith("__") &&
    !WITHOUT_RECORDS.has(shapeOf(type).kind) && !isConnectionPart(type)
  );
}

/** The object types that each field returns, including in lists, connections and abstract types. */
function returnedTypes(
  graphQLSchema: GraphQLSchema,
  shapeOf: ShapeOf,
  types: Iterable<GraphQLNamedType>,
): (readonly GraphQLObjectType[])[] {
  const fields = [...types].filter(isObjectType).flatMap((type) => Object.values(type.getFields()));
  return fields.map(({ type }) => {
    const named = getNamedType(type);
    const { kind, nodeType = named } = shapeOf(named);
    return isCompositeType(nodeType) && kind !== "amount"
      ? possibleTypes(graphQLSchema, nodeType)
      : [];
  });
}

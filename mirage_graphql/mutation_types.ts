import {
  getNullableType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isObjectType,
} from "graphql";

/**
 * The types whose fields are mutations: the root, and those that only group some, such as
 * `type Mutation { posts: PostMutations! }`.
 */
export function mutationTypes(graphQLSchema: GraphQLSchema): ReadonlySet<GraphQLNamedType> {
  const root = graphQLSchema.getMutationType();
  const types = new Set(root ? [root] : []);
  for (const type of types) {
    for (const group of groupsOf(type)) if (hasMutations(group)) types.add(group);
  }
  return types;
}

/** Tells a group from what a mutation answers, such as `LogoutMutation { ok: Boolean }`. */
function hasMutations(
  type: GraphQLObjectType,
  seen: ReadonlySet<GraphQLObjectType> = new Set(),
): boolean {
  if (seen.has(type)) return false;
  return Object.values(type.getFields()).some(({ args }) => args.length > 0) ||
    groupsOf(type).some((group) => hasMutations(group, new Set([...seen, type])));
}

function groupsOf(type: GraphQLObjectType): GraphQLObjectType[] {
  return Object.values(type.getFields()).filter(({ args }) => args.length === 0)
    .map((field): GraphQLOutputType => getNullableType(field.type)).filter(isGroup);
}

function isGroup(type: GraphQLOutputType): type is GraphQLObjectType {
  return isObjectType(type) && /Mutations?$/.test(type.name) && type.getFields().id === undefined;
}

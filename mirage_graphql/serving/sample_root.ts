import { getNamedType, type GraphQLSchema, isLeafType } from "graphql";
import { sampleValue } from "./fake_value.ts";

/**
 * Makes up what the query type's plain values answer, such as `version: String!`: no record holds
 * them, and a file of seeds has no place for them.
 */
export function sampleRoot(graphQLSchema: GraphQLSchema): Record<string, unknown> {
  const query = graphQLSchema.getQueryType();
  if (!query) return {};
  const values = Object.values(query.getFields()).filter(({ type }) =>
    isLeafType(getNamedType(type))
  );
  return Object.fromEntries(values.map(({ name, type }) => {
    const place = { typeName: query.name, fieldName: name, index: 0 };
    return [name, sampleValue(graphQLSchema, type, place)];
  }));
}

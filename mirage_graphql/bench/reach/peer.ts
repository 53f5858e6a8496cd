import { addMocksToSchema } from "@graphql-tools/mock";
import {
  graphql,
  GraphQLSchema,
  isScalarType,
  isSpecifiedScalarType,
  specifiedDirectives,
} from "graphql";
import type { Mock } from "./ours.ts";

/**
 * Creates a mock of `@graphql-tools/mock`. It lacks the schema's own scalars, which are texts here.
 * The schema counts as valid and has no custom directives, because graphql 17 rejects some that
 * graphql 16 accepted.
 */
export function createPeer(schema: GraphQLSchema): Mock {
  const scalars = Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));
  const mocks = Object.fromEntries(scalars.map(({ name }) => [name, () => "text"]));
  const plain = new GraphQLSchema({
    ...schema.toConfig(),
    directives: specifiedDirectives,
    assumeValid: true,
  });
  const mocked = addMocksToSchema({ schema: plain, mocks });
  return async ({ query, variables }) => {
    const { data, errors = [] } = await graphql({
      schema: mocked,
      source: query,
      variableValues: variables,
    });
    return { data, errors: errors.map(({ message }) => message) };
  };
}

import { type DocumentNode, execute, parse, validate } from "graphql";
import { createOrm } from "./orm/orm.ts";
import type { MockSchema } from "./orm/mock_schema.ts";
import { attachResolvers } from "./resolvers/attach.ts";
import { registerOrm } from "./resolvers/field_resolver.ts";
import { type GraphQLSchemaSource, toExecutableSchema } from "./schema/executable_schema.ts";
export function createGraphQLHandler(
  source: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: { resolvers?: object; root?: unknown } = {},
): any {
  const schema = toExecutableSchema(source, options.resolvers as any);
  const orm = createOrm(schema, mockSchema);
  registerOrm(orm);
  attachResolvers(orm);
  const docs = new Map<string, DocumentNode>();
  return async (_s: unknown, request: { requestBody: string }) => {
    const { query, variables } = JSON.parse(request.requestBody);
    let document = docs.get(query);
    if (!document) {
      document = parse(query);
      const errors = validate(schema, document);
      if (errors.length) return { errors };
      docs.set(query, document);
    }
    return execute({
      schema,
      document,
      variableValues: variables,
      rootValue: options.root,
      contextValue: { mockSchema, mirageSchema: mockSchema, request },
    });
  };
}

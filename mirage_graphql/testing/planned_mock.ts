import { execute, type ExecutionResult, parse, validate } from "graphql";
import { createServer } from "miragejs";
import { type ConventionOptions, parseConventions } from "../dialects/options.ts";
import { withCommon } from "../mock/common_conventions.ts";
import type { ResolverMap } from "../mod.ts";
import { createOrm } from "../orm/orm.ts";
import { createQueryPlanner } from "../execution/plan/query_planner.ts";
import { attachResolvers } from "../resolvers/attach.ts";
import { withEngine } from "../resolvers/mock_orm.ts";
import { toExecutableSchema } from "../schema/executable_schema.ts";
import type { Tables } from "./mock_server.ts";

/** What a mock is created with, in addition to the GraphQL schema. */
export interface PlannedMockOptions extends ConventionOptions {
  readonly models?: Readonly<Record<string, object>>;
  readonly resolvers?: ResolverMap;
  readonly data?: Tables;
}

/** A database whose queries can be answered by a plan and, for comparison, by graphql-js. */
export interface PlannedMock {
  /** What the plan returns: `undefined` if it leaves the query to graphql-js. */
  planned(query: string, variables?: Record<string, unknown>): Record<string, unknown> | undefined;
  /** What graphql-js returns. */
  executed(query: string, variables?: Record<string, unknown>): ExecutionResult;
}

/** Starts a Mirage server; the queries of one mock are parsed once each, as a handler does. */
export function createPlannedMock(
  graphQLSchema: string,
  { models = {}, resolvers, data = {}, ...conventions }: PlannedMockOptions = {},
): PlannedMock {
  const server = createServer({ environment: "test", models: models as never });
  const executableSchema = toExecutableSchema(graphQLSchema, resolvers);
  const parsed = parseConventions(withCommon(conventions));
  const orm = withEngine(createOrm(executableSchema, server.schema, parsed));
  const executePlan = createQueryPlanner({ orm, plannable: attachResolvers(orm) });
  server.db.loadData(data);
  const documents = new Map<string, ReturnType<typeof read>>();

  function read(query: string) {
    const document = parse(query);
    const [error] = validate(executableSchema, document);
    if (error !== undefined) throw error;
    const operation = document.definitions.find(({ kind }) => kind === "OperationDefinition");
    if (operation?.kind !== "OperationDefinition") throw new TypeError(`No operation: ${query}`);
    return { document, operation };
  }

  function documentOf(query: string) {
    const known = documents.get(query) ?? read(query);
    documents.set(query, known);
    return known;
  }

  const context = { mockSchema: server.schema };
  return {
    planned: (query, variables) => executePlan({ ...documentOf(query), variables, context }),
    executed(query, variableValues) {
      const { document } = documentOf(query);
      const result = execute({
        schema: executableSchema,
        document,
        contextValue: context,
        variableValues,
      });
      if (result instanceof Promise) throw new TypeError(`Asynchronous: ${query}`);
      return result as ExecutionResult;
    },
  };
}

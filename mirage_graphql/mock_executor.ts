import { type ConventionOptions, parseConventions } from "./conventions/options.ts";
import type { MockSchema } from "./orm/mirage.ts";
import { createOrm, type Orm } from "./orm/orm.ts";
import { createQueryPlanner } from "./query_plan/query_planner.ts";
import { createExecutor, type Executor } from "./request/executor.ts";
import type { ContextOption, ExecutionOptions, MockContext } from "./request/executor_options.ts";
import { attachResolvers } from "./resolvers/attach.ts";
import { registerOrm } from "./resolvers/field_resolver.ts";
import { type GraphQLSchemaSource, toExecutableSchema } from "./schema/executable_schema.ts";
import type { ResolverMap } from "./schema/resolver_map.ts";

/** How requests are resolved and run. */
export interface MockOptions<Context = unknown>
  extends Omit<ExecutionOptions, "context">, ConventionOptions {
  /** What is added to the resolvers' context: an object, or a function of the request. */
  readonly context?: ContextOption<Context>;
  /** Resolvers for what can't be resolved automatically: by type name, then by field name. */
  readonly resolvers?: ResolverMap<NoInfer<Context> & MockContext>;
}

/** Executes GraphQL requests against Mirage's database, and registers missing models there. */
export function createMockExecutor<Context>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: MockOptions<Context> = {},
): Executor {
  const { resolvers, conventions, unknownArguments, ids, strict, defaults, ...executionOptions } =
    options;
  const parsed = parseConventions({ conventions, unknownArguments, ids, strict, defaults });
  const orm = createOrm(toExecutableSchema(graphQLSchema, resolvers), mockSchema, parsed);
  return createOrmExecutor(orm, executionOptions);
}

/** Attaches resolvers to the schema of an ORM, and executes requests against it. */
export function createOrmExecutor(orm: Orm, options: ExecutionOptions = {}): Executor {
  const { graphQLSchema, mirageSchema } = orm;
  registerOrm(orm);
  const executePlan = createQueryPlanner({ orm, plannable: attachResolvers(orm) });
  return createExecutor(graphQLSchema, { ...options, mockSchema: mirageSchema, executePlan });
}

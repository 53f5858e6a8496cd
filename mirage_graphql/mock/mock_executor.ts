import type { GraphQLError } from "graphql";
import { type ConventionOptions, parseConventions } from "../dialects/options.ts";
import type { MockSchema } from "../orm/mirage/mirage_schema.ts";
import { createOrm, type Orm } from "../orm/orm.ts";
import { createCompletion } from "../orm/writes/complete_record.ts";
import { createQueryPlanner } from "../execution/plan/query_planner.ts";
import { createExecutor, type Executor } from "../execution/executor.ts";
import type {
  ContextOption,
  ExecutionOptions,
  ExecutorOptions,
  Merge,
  MockContext,
  ReportErrors,
} from "../execution/executor_options.ts";
import { createPersistence, type PersistOptions } from "./persist.ts";
import { attachResolvers } from "../resolvers/attach.ts";
import { withEngine } from "../resolvers/mock_orm.ts";
import { type GraphQLSchemaSource, toExecutableSchema } from "../schema/executable_schema.ts";
import type { ResolverMap } from "../schema/resolver_map.ts";
import { type UnresolvedField, unresolvedOf } from "../shared/unresolved_field.ts";
import { createStubRules } from "../stubs/stub_rules.ts";
import type { RefusalSubject } from "../stubs/warn_refused.ts";

/** How requests are resolved and run. */
export interface MockOptions<Context = unknown>
  extends Omit<ExecutionOptions, "context">, ConventionOptions {
  /** What is added to the resolvers' context: an object, or a function of the request. */
  readonly context?: ContextOption<Context>;
  /** Resolvers for what can't be resolved automatically: by type name, then by field name. */
  readonly resolvers?: ResolverMap<NoInfer<Context> & MockContext>;
  /**
   * Address of an API that answers the fields of `Query` and `Mutation` that have no resolver in
   * `resolvers`; the schema has the fields of both.
   */
  readonly mergeInto?: string;
  /**
   * Whether `console.warn` prints what is refused, with a resolver to begin with, and what is ignored.
   * @default {true, and for what is refused only if `NODE_ENV` is not "production"}
   */
  readonly warnings?: boolean;
}

/** Executes GraphQL requests against Mirage's database, and registers missing models there. */
export function createMockExecutor<Context>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: MockOptions<Context> & PersistOptions = {},
): Executor {
  const { resolvers, mergeInto, warnings } = options;
  const parsed = parseConventions(options);
  const ignored: string[] = [];
  const onIgnored = (lines: readonly string[]) => ignored.push(...lines);
  const executableSchema = toExecutableSchema(graphQLSchema, resolvers, { onIgnored });
  const orm = createOrm(executableSchema, mockSchema, parsed, { warnings });
  if (warnings !== false) warnOf(ignored, orm.models.ambiguous);
  const merge = mergeOf(mergeInto, resolvers);
  return createOrmExecutor(orm, { ...options, merge });
}

function mergeOf(mergeInto: string | undefined, resolvers: object = {}): Merge | undefined {
  if (mergeInto === undefined) return undefined;
  const base = globalThis.location?.href;
  if (typeof mergeInto !== "string" || !URL.canParse(mergeInto, base)) {
    throw new TypeError(`Cannot use mergeInto "${mergeInto}": it must be the address of an API`);
  }
  const byType = new Map(Object.entries(resolvers));
  return {
    url: new URL(mergeInto, base).href,
    isLocal: (typeName, fieldName) => Object.hasOwn(byType.get(typeName) ?? {}, fieldName),
  };
}

/** How requests are executed, and what is printed about them. */
interface OrmExecutorOptions
  extends ExecutionOptions, Pick<ExecutorOptions, "merge">, PersistOptions {
  /** The user-defined resolvers. @default {{}} */
  readonly resolvers?: object | undefined;
  /** Whether refusals are printed. @default {true} */
  readonly warnings?: boolean | undefined;
  /** Where the mock's resolvers are given, for messages. @default {the option "resolvers"} */
  readonly setup?: string | undefined;
}

/** Attaches resolvers to the schema of an ORM, and executes requests against it. */
export function createOrmExecutor(
  orm: Orm,
  options: OrmExecutorOptions = {},
): Executor {
  const { resolvers = {}, warnings, setup, persist, ...executionOptions } = options;
  const completed = withEngine(withCompletion(orm));
  const rules = createStubRules(completed);
  const kept = persist && createPersistence(completed, persist);
  return createExecutor(orm.graphQLSchema, {
    ...executionOptions,
    mockSchema: orm.mirageSchema,
    onErrors: warnings === false ? undefined : createRefusalReport({
      ...{ rules, resolvers, setup },
    }),
    explain: async (selected, errors, variables) => {
      const { explainOperation } = await import("../stubs/explain_operation.ts");
      return explainOperation({
        ...{ ...options, rules, resolvers, selected, variables },
        unresolved: unresolvedIn(errors),
      });
    },
    persistence: completed.totals?.before(kept) ?? kept,
    plan: createQueryPlanner({ orm: completed, plannable: attachResolvers(completed) }),
  });
}

function unresolvedIn(errors: readonly GraphQLError[]): UnresolvedField[] {
  return errors.flatMap((error) => unresolvedOf(error) ?? []);
}

/** Loads the code that explains refusals at the first one. */
function createRefusalReport(subject: RefusalSubject): ReportErrors {
  const printed = new Set<string>();
  let loaded: Promise<typeof import("../stubs/warn_refused.ts")> | undefined;
  return (operation, errors) => {
    const unresolved = unresolvedIn(errors);
    if (unresolved.length === 0) return;
    loaded ??= import("../stubs/warn_refused.ts");
    loaded.then(({ warnRefused }) => warnRefused({ ...subject, ...operation, unresolved, printed }))
      .catch(console.warn);
  };
}

/** Before resolvers are attached, those of fields are user-defined. */
function withCompletion(orm: Orm): Orm {
  if (orm.conventions.defaults !== "generate" || orm.completion !== undefined) return orm;
  return { ...orm, completion: createCompletion(orm) };
}

/**
 * Prints the ignored parts of a schema and the unpaired relations, if there are any, with one call
 * of `console.warn`; `models` says where Mirage's models are given.
 */
export function warnOf(
  ignored: readonly string[],
  ambiguous: readonly string[],
  models = "createServer()",
): void {
  const sections = [
    ...section("The mock ignores these parts and faults of the GraphQL schema", ignored),
    ...section(
      "Each of these relations is kept by itself, because it has several possible inverses. To " +
        `join it with one, give ${models} the model with this association (and all others ` +
        "that the type has)",
      ambiguous,
    ),
  ];
  if (sections.length > 0) console.warn(sections.join("\n"));
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : [`${title}:`, ...Array.from(new Set(lines), (line) => `  ${line}`)];
}

import { getNamedType, type GraphQLSchema, isLeafType, isObjectType } from "graphql";
import { createServer } from "miragejs";
import { parseConventions } from "../dialects/options.ts";
import type { Executor } from "../execution/executor.ts";
import { withCommon } from "../mock/common_conventions.ts";
import { createOrmExecutor } from "../mock/mock_executor.ts";
import { createOrm, type Orm } from "../orm/orm.ts";
import { createCompletion } from "../orm/writes/complete_record.ts";
import { toExecutableSchema } from "../schema/executable_schema.ts";
import type { ResolverMap } from "../schema/resolver_map.ts";
import { fakeRoot, fakeValue } from "../seeding/fake_value.ts";
import { generateTables, type SeedTables } from "../seeding/generate_tables.ts";
import { createValueGenerator } from "../seeding/generate_values.ts";
import { insertTables } from "../serving/insert_seeds.ts";
import type { ServeConfig } from "../serving/serve_config.ts";

/** What a mock is made with; the settings of `serve`, of which those about records don't count. */
export type MockSettings = Pick<
  ServeConfig,
  | "conventions"
  | "unknownArguments"
  | "ignoreArguments"
  | "sessions"
  | "strict"
  | "defaults"
  | "ids"
  | "models"
  | "resolvers"
  | "context"
>;

/** A mock for one operation, with sample records. */
export interface CheckedMock {
  readonly orm: Orm;
  readonly executor: Executor;
  /** Removes and returns what it would have printed as warnings. */
  takeWarnings(): readonly string[];
}

/** Creates mocks of one schema, which share no records: a mutation leaves the next operation alone. */
export type CreateCheckedMock = (options?: CheckedMockOptions) => CheckedMock;

/** What differs from the settings for one operation. */
export interface CheckedMockOptions extends Pick<MockSettings, "unknownArguments"> {
  /** Fields that return some value of their type, instead of what rules or resolvers say. */
  readonly madeUp?: readonly FieldName[];
  /** Whether it may be one that another operation has used: for those that change nothing. */
  readonly isShared?: boolean;
}

/** A field of a type. */
export interface FieldName {
  readonly typeName: string;
  readonly fieldName: string;
}

/** Prepares the mocks of a schema: sample records are generated once, with the defaults of `serve`. */
export function prepareMocks(
  graphQLSchema: GraphQLSchema,
  settings: MockSettings = {},
): CreateCheckedMock {
  const { models, resolvers, context, conventions = "common", ...others } = settings;
  const { unknownArguments = "ignore", defaults = "generate" } = others;
  const hasLeaves = Object.values(graphQLSchema.getQueryType()?.getFields() ?? {})
    .some(({ type }) => isLeafType(getNamedType(type)));
  const root = hasLeaves ? fakeRoot(graphQLSchema) : {};
  let tables: SeedTables | undefined;
  let shared: CheckedMock | undefined;

  function create({ madeUp = [], ...options }: CheckedMockOptions): CheckedMock {
    const parsed = parseConventions(
      withCommon({ ...others, conventions, unknownArguments, defaults, ...options }),
    );
    const warnings = new Set<string>();
    const logging = { environment: "test", logging: false };
    const { schema } = createServer({ ...logging, ...models && { models } });
    const own = toExecutableSchema(graphQLSchema, resolvers);
    const executable = madeUp.length === 0
      ? own
      : toExecutableSchema(own, madeUpResolvers(graphQLSchema, madeUp));
    const warnOnce = (text: string) => void warnings.add(text);
    const plain = { ...createOrm(executable, schema, parsed), warnOnce };
    const orm = parsed.defaults === "generate"
      ? { ...plain, completion: createCompletion(plain, createValueGenerator(plain)) }
      : plain;
    tables ??= generateTables(orm);
    insertTables(orm, tables);
    const executor = createOrmExecutor(orm, { root, context, warnings: false });
    const takeWarnings = () => {
      const taken = [...warnings];
      warnings.clear();
      return taken;
    };
    return { orm, executor, takeWarnings };
  }

  return ({ isShared = false, ...options } = {}) =>
    isShared ? shared ??= create(options) : create(options);
}

/** Resolvers that make up a value of their field's type. */
function madeUpResolvers(graphQLSchema: GraphQLSchema, fields: readonly FieldName[]): ResolverMap {
  const all: Record<string, Record<string, () => unknown>> = {};
  for (const { typeName, fieldName } of fields) {
    const type = graphQLSchema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
    if (field === undefined) continue;
    const value = () => fakeValue(graphQLSchema, field.type, { typeName, fieldName, index: 0 });
    all[typeName] = { ...all[typeName], [fieldName]: value };
  }
  return all;
}

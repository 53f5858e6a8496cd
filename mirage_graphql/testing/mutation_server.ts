import {
  buildSchema,
  type ExecutionResult,
  graphql,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from "graphql";
import { createServer } from "miragejs";
import { type MirageRecord, parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { ensureModels } from "../orm/models/ensure_models.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import { findRecord, readRefs } from "../orm/writes/record_ref.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";
import { createMutationResolver, toMutationValue } from "../mutations/mutation.ts";
import type { RecordResult } from "../mutations/write_intent.ts";

/** A real Mirage server whose mutations are resolved by default, and other fields by property. */
export interface MutationServer extends WriteContext {
  /** Seeds a record through Mirage, as apps do. */
  seed(modelName: string, attributes?: Record<string, unknown>): void;
  /** The current records of a table. */
  table(name: string): readonly MirageRecord[];
  /** Changes a record directly in the database, without Mirage's ORM. */
  tamper(table: string, id: string, attributes: MirageRecord): void;
  /** The whole content of the database. */
  dump(): Readonly<Record<string, readonly MirageRecord[]>>;
  /** Replaces the whole content of the database by that of a dump. */
  load(dump: Readonly<Record<string, readonly MirageRecord[]>>): void;
  /** The model of a GraphQL type. */
  model(typeName: string): MockModel;
  /** Runs a GraphQL document. */
  run(source: string, variableValues?: Record<string, unknown>): Promise<ExecutionResult>;
  [Symbol.dispose](): void;
}

/** Settings of {@linkcode createMutationServer}. */
export interface MutationServerOptions {
  /** User-defined models. */
  readonly models?: Record<string, unknown>;
  /** Classes that create the ids. */
  readonly identityManagers?: Record<string, unknown>;
  /** Fields with a custom resolver that calls the default one explicitly. */
  readonly explicit?: Readonly<
    Record<string, (resolve: (args: Record<string, unknown>) => unknown, args: Args) => unknown>
  >;
}

type Args = Record<string, unknown>;

/** Starts a Mirage server for a GraphQL schema. */
export function createMutationServer(
  typeDefs: string | GraphQLSchema,
  options: MutationServerOptions = {},
): MutationServer {
  const { models = {}, identityManagers, explicit = {} } = options;
  const server = createServer({
    environment: "test",
    models: { ...models } as never,
    identityManagers: identityManagers as never,
  });
  const graphQLSchema = typeof typeDefs === "string" ? buildSchema(typeDefs) : typeDefs;
  const mirageSchema = parseMockSchema(server.schema);
  const context = {
    graphQLSchema,
    mirageSchema,
    models: ensureModels(graphQLSchema, mirageSchema),
  };
  const fieldResolver = (obj: unknown, args: Args, _context: unknown, info: GraphQLResolveInfo) => {
    if (info.parentType.name !== "Mutation") return resolveProperty(context, obj, info.fieldName);
    const field = info.parentType.getFields()[info.fieldName]!;
    const custom = explicit[info.fieldName];
    const resolve = createMutationResolver(field, context, { isExplicit: custom !== undefined });
    const resolveDefault = (given: Args) => toMutationValue(resolve(given), toParent);
    return custom ? custom(resolveDefault, args) : resolveDefault(args);
  };
  const dump = () =>
    structuredClone(
      Object.fromEntries(mirageSchema.db._collections.map((table) => [table.name, table.all()])),
    );
  return {
    ...context,
    seed: (modelName, attributes) =>
      void server.schema.create(modelName as never, attributes as never),
    dump,
    load: (content) => {
      server.db.emptyData();
      server.db.loadData(structuredClone(content) as never);
    },
    table: (name) => dump()[name] ?? [],
    tamper: (name, id, attributes) =>
      void mirageSchema.db._collections.find((table) => table.name === name)?.update(
        id,
        attributes,
      ),
    model: (typeName) => context.models.ofType(typeName)!,
    run: (source, variableValues) =>
      graphql({ schema: graphQLSchema, source, variableValues, fieldResolver }),
    [Symbol.dispose]: () => server.shutdown(),
  };
}

const MODEL = Symbol("model");

function toParent({ model, record }: RecordResult): MirageRecord {
  return { ...record, __typename: model.typeName, [MODEL]: model };
}

function resolveProperty(context: WriteContext, obj: unknown, fieldName: string): unknown {
  const parent = obj as MirageRecord & { [MODEL]?: MockModel };
  const model = parent?.[MODEL];
  const relation = model?.relations.get(fieldName);
  if (model === undefined || relation === undefined) return parent?.[fieldName];
  const association = context.mirageSchema.associationsFor(model.modelName)[fieldName]!;
  const related = readRefs(parent, association).map((ref) => {
    const record = findRecord(context.mirageSchema, ref);
    return record && toParent({ model: context.models.ofModel(ref.modelName)!, record });
  });
  return relation.isList ? related : related[0];
}

/** The messages of a result's errors. */
export function messagesOf({ errors = [] }: ExecutionResult): string[] {
  return errors.map(({ message }) => message);
}

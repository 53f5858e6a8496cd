import type { GraphQLNamedType, GraphQLSchema } from "graphql";
import type { Dialect } from "../dialects/dialect.ts";
import { type ResolvedConventions, STRICT } from "../dialects/options.ts";
import {
  createShapeOf,
  type DescribeTypes,
  mutationTypes,
  type ShapeOf,
} from "../schema/shapes.ts";
import {
  type MirageModel,
  type MirageSchema,
  type MockSchema,
  parseMockSchema,
} from "./mirage/mirage_schema.ts";
import { ensureModels, type ModelOptions } from "./models/ensure_models.ts";
import type { MockModel, ModelMap, Relation } from "./models/model_map.ts";
import { RecordChanges } from "./records/record_changes.ts";
import { type Records, RecordStore } from "./records/record_store.ts";
import { type TableWrites, trackWrites } from "./records/table_writes.ts";
import { copyRecord, isObject } from "../shared/values.ts";
import type { Completion } from "./writes/write_context.ts";

/** Connects a GraphQL schema and a Mirage schema: models, and records to read. */
export interface Orm {
  readonly graphQLSchema: GraphQLSchema;
  /** What each type of the schema is. */
  readonly shapeOf: ShapeOf;
  /** The types whose fields are mutations. */
  readonly mutationTypes: ReadonlySet<GraphQLNamedType>;
  readonly mirageSchema: MirageSchema;
  /** How to interpret what the GraphQL schema alone doesn't define. */
  readonly conventions: ResolvedConventions;
  readonly models: ModelMap;
  readonly store: RecordStore;
  readonly tables: TableWrites;
  /** Notifies listeners of changed records. */
  readonly changes: RecordChanges;
  /** Prints a text with `console.warn`, unless it has been printed before. */
  warnOnce(text: string): void;
  /** Generates further values of new records; by default none. */
  readonly completion?: Completion | undefined;
}

/** What {@linkcode createOrm} takes besides the conventions. */
interface OrmOptions extends Pick<ModelOptions, "byPlural"> {
  /** Whether what is ignored is printed. @default {true} */
  readonly warnings?: boolean | undefined;
  /** Recognizes types by conventions. @default {the code of the dialects, if there are any} */
  readonly describeTypes?: DescribeTypes;
}

/** A dialect with the code that recognizes types. */
interface DescribingDialect extends Dialect {
  readonly engine: { readonly describeTypes: DescribeTypes };
}

function isDescribing(dialect: Dialect): dialect is DescribingDialect {
  return "engine" in dialect && isObject(dialect.engine) && "describeTypes" in dialect.engine;
}

/**
 * Connects a GraphQL schema to Mirage's schema, and registers the models that are missing.
 *
 * @param options How relations are paired, with words of a dialect by plurals too, what recognizes
 * types, and whether what is ignored is printed.
 */
export function createOrm(
  graphQLSchema: GraphQLSchema,
  mockSchema: MockSchema,
  conventions: ResolvedConventions = STRICT,
  options: OrmOptions = {},
): Orm {
  const { dialects } = conventions;
  const {
    byPlural = dialects.some(({ words }) => words !== undefined),
    describeTypes = dialects.find(isDescribing)?.engine.describeTypes,
  } = options;
  const mirageSchema = parseMockSchema(mockSchema);
  const shapeOf = createShapeOf(graphQLSchema, { ...conventions, describeTypes });
  const { strict } = conventions;
  const models = ensureModels(graphQLSchema, mirageSchema, { strict, shapeOf, byPlural });
  const tables = trackWrites(mirageSchema.db);
  const store = new RecordStore(tables);
  const changes = new RecordChanges(models, tables, store);
  return {
    graphQLSchema,
    shapeOf,
    mutationTypes: mutationTypes(graphQLSchema),
    mirageSchema,
    conventions,
    models,
    tables,
    store,
    changes,
    warnOnce: options.warnings === false ? () => {} : createWarnOnce(),
  };
}

/** How many texts are printed at most: some have names from requests. */
const MAX_WARNINGS = 100;

function createWarnOnce(): Orm["warnOnce"] {
  const printed = new Set<string>();
  return (text) => {
    if (printed.has(text) || printed.size >= MAX_WARNINGS) return;
    printed.add(text);
    console.warn(text);
  };
}

/**
 * Creates the Mirage model of a record without a search for it. Foreign keys are set afterwards,
 * without ids that no record has: Mirage would search the tables for each id.
 */
export function toMirageModel(
  orm: Orm,
  model: MockModel,
  record: Readonly<Record<string, unknown>>,
): MirageModel {
  const attributes = copyRecord(record);
  const foreignKeys = existingForeignKeys(orm, model, attributes);
  for (const name of Object.keys(foreignKeys)) delete attributes[name];
  const mirageModel = orm.mirageSchema.new(model.modelName, attributes);
  Object.assign(mirageModel.attrs, foreignKeys);
  return mirageModel;
}

/** The foreign keys of a record, reduced to ids of existing records. */
function existingForeignKeys(
  records: Records,
  model: MockModel,
  attributes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const existing: Record<string, unknown> = {};
  for (const relation of model.relations.values()) {
    const key = attributes[relation.foreignKey];
    const isThere = (id: unknown) => exists(records, relation, id);
    if (Array.isArray(key)) existing[relation.foreignKey] = key.filter(isThere);
    else existing[relation.foreignKey] = isThere(key) ? key : null;
  }
  return existing;
}

function exists({ models, store }: Records, { modelName }: Relation, key: unknown): boolean {
  const { type, id } = modelName !== undefined
    ? { type: modelName, id: key }
    : isObject(key)
    ? key
    : {};
  const model = typeof type === "string" ? models.ofModel(type) : undefined;
  // a model without a type can't be searched
  if (model === undefined) return modelName !== undefined;
  return store.of(model).own(id) !== undefined;
}

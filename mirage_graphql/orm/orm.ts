import type { GraphQLNamedType, GraphQLSchema } from "graphql";
import { mutationTypes } from "../mutation_types.ts";
import { copyRecord } from "./values.ts";
import { ensureModels } from "./models/ensure_models.ts";
import { existingForeignKeys } from "./existing_ids.ts";
import { type MirageModel, type MirageSchema, type MockSchema, parseMockSchema } from "./mirage.ts";
import type { MockModel, ModelMap } from "./models/model_map.ts";
import { RecordChanges } from "./records/record_changes.ts";
import { RecordStore } from "./records/record_store.ts";
import { type WatchedTables, watchTables } from "./records/table_writes.ts";

/** What a GraphQL schema and a Mirage schema are to each other: models, and records to read. */
export interface Orm {
  readonly graphQLSchema: GraphQLSchema;
  /** The types whose fields are mutations. */
  readonly mutationTypes: ReadonlySet<GraphQLNamedType>;
  readonly mirageSchema: MirageSchema;
  readonly models: ModelMap;
  readonly store: RecordStore;
  readonly tables: WatchedTables;
  /** What happens to records, for who listens. */
  readonly changes: RecordChanges;
}

/** Joins a GraphQL schema to Mirage's schema, which gets the models that it lacks. */
export function createOrm(graphQLSchema: GraphQLSchema, mockSchema: MockSchema): Orm {
  const mirageSchema = parseMockSchema(mockSchema);
  const models = ensureModels(graphQLSchema, mirageSchema);
  const tables = watchTables(mirageSchema.db);
  const store = new RecordStore(tables);
  const changes = new RecordChanges(models, tables, store);
  return {
    graphQLSchema,
    mutationTypes: mutationTypes(graphQLSchema),
    mirageSchema,
    models,
    tables,
    store,
    changes,
  };
}

/**
 * The Mirage model of a record, without a search for it. Foreign keys are put into the model once it
 * is made, without ids that no record has: Mirage would go through the tables for each id.
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

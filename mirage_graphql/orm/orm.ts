import type { GraphQLNamedType, GraphQLSchema } from "graphql";
import { mutationTypes } from "../mutation_types.ts";
import { copyRecord } from "./copy_value.ts";
import { ensureModels } from "./ensure_models.ts";
import { withExistingIds } from "./existing_ids.ts";
import {
  type MirageModel,
  type MirageSchema,
  type MockSchema,
  parseMockSchema,
} from "./mock_schema.ts";
import type { MockModel, ModelMap } from "./model_map.ts";
import { RecordChanges } from "./record_changes.ts";
import { RecordStore } from "./record_store.ts";
import { type WatchedTables, watchTables } from "./watched_tables.ts";

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
 * The Mirage model of a record, without a search for it. Ids that no record has are left out of it,
 * as Mirage refuses to make a model with them.
 */
export function toMirageModel(
  orm: Orm,
  model: MockModel,
  record: Readonly<Record<string, unknown>>,
): MirageModel {
  const attributes = copyRecord(record);
  try {
    return orm.mirageSchema.new(model.modelName, attributes);
  } catch {
    return orm.mirageSchema.new(model.modelName, withExistingIds(orm, model, attributes));
  }
}

import { isObject } from "../../shared/values.ts";

/**
 * What the library needs of Mirage's schema, which is `this.schema` in `routes()`, or
 * `server.schema`.
 */
export interface MockSchema {
  /** Mirage's in-memory database. */
  readonly db: object;
}

/** An association of a Mirage model. */
export interface MirageAssociation {
  readonly name: string;
  readonly type: "belongsTo" | "hasMany";
  /** Dasherized name of the model that has the association. */
  readonly ownerModelName: string;
  /** Dasherized name of the associated model; meaningless if polymorphic. */
  readonly modelName: string;
  readonly foreignKey: string;
  readonly isPolymorphic: boolean | undefined;
  readonly opts: {
    readonly inverse?: string | null;
    /** The GraphQL field, if Mirage uses its name for something else. */
    readonly field?: string;
  };
}

/** An instance of a Mirage model. */
export interface MirageModel {
  readonly id: string;
  readonly modelName: string;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly associations: Readonly<Record<string, MirageAssociation>>;
  readonly [name: string]: unknown;
  update(attributes: Record<string, unknown>): MirageModel;
  reload(): MirageModel;
  destroy(): void;
}

/** A Mirage collection: the models of a to-many association, or of a query. */
export interface MirageCollection {
  readonly models: MirageModel[];
}

/** A table of Mirage's database; all methods but `update` return copies. */
export interface MirageTable {
  readonly name: string;
  /** Assigns ids; Mirage's own remembers those that were ever used. */
  readonly identityManager?: {
    readonly _ids?: Record<string, boolean>;
    /** The next id; user-defined identity managers lack it. */
    get?(): number;
    /** Marks an id as used. */
    set?(id: string): void;
  };
  all(): MirageRecord[];
  find(id: string): MirageRecord | null;
  where(fits: ((record: MirageRecord) => boolean) | object | null): MirageRecord[];
  /** Inserts a record under its id, or a new one, and returns a copy. */
  insert(attributes: MirageRecord): MirageRecord;
  /** Sets attributes of a record, and returns the record itself. */
  update(id: string, attributes: MirageRecord): MirageRecord;
  /** Removes a record, or all of them and what is known of their ids. */
  remove(id?: string): void;
}

/** A record of the database: attributes and foreign keys. */
export type MirageRecord = Record<string, unknown>;

/** The prototype of a Mirage model's class. */
export interface MirageModelClass {
  readonly modelName: string;
  /** The association of this model that is the inverse of one that leads to it. */
  inverseFor(association: MirageAssociation): MirageAssociation | null;
  /** Adds a property for an attribute. */
  _definePlainAttribute(name: string): void;
  /** The steps that take each value that a model is created with. */
  _validateAttr(name: string, value: unknown): void;
  _setupAttr(name: string, value: unknown): void;
  _setupRelationship(name: string, value: unknown): void;
}

/** The part of Mirage's schema that the library uses. */
export interface MirageSchema extends MockSchema {
  readonly db: { readonly _collections: readonly MirageTable[] };
  create(modelName: string, attributes?: Record<string, unknown>): MirageModel;
  /**
   * A model with attributes and foreign keys; it counts as saved if its `id` is in the database.
   */
  readonly new: (modelName: string, attributes?: Record<string, unknown>) => MirageModel;
  find(modelName: string, id: string): MirageModel | null;
  /** An empty collection. */
  none(modelName: string): MirageCollection;
  toCollectionName(modelName: string): string;
  /** The singular of a name, dasherized. */
  toModelName(name: string): string;
  registerModel(name: string, model: unknown): void;
  associationsFor(modelName: string): Readonly<Record<string, MirageAssociation>>;
  /** The prototype of the model's class. */
  modelClassFor(modelName: string): MirageModelClass;
}

const METHODS = [
  "create",
  "new",
  "find",
  "none",
  "toCollectionName",
  "toModelName",
  "registerModel",
  "associationsFor",
  "modelClassFor",
] as const;

/**
 * Checks that a value is Mirage's schema.
 *
 * @throws {TypeError} If it is not: the message says what to pass.
 */
export function parseMockSchema(mockSchema: MockSchema): MirageSchema {
  if (!isMirageSchema(mockSchema)) {
    throw new TypeError(
      `Cannot use "${mockSchema}" as the mock schema: it must be the schema of a Mirage server, ` +
        "such as `this.schema` in routes() or `server.schema`",
    );
  }
  return mockSchema;
}

function isMirageSchema(value: unknown): value is MirageSchema {
  if (!isObject(value) || !isObject(value.db)) return false;
  return Array.isArray(value.db._collections) &&
    METHODS.every((method) => typeof value[method] === "function");
}

/** Whether a value is an association of a Mirage model. */
export function isMirageAssociation(value: unknown): value is MirageAssociation {
  return isObject(value) && typeof value.modelName === "string" &&
    typeof value.foreignKey === "string" && isObject(value.opts);
}

/** The name of the GraphQL field of an association. */
export function fieldNameOf({ name, opts }: MirageAssociation): string {
  return opts.field ?? name;
}

/** Whether a value is an instance of a Mirage model, from any copy of Mirage. */
export function isMirageModel(value: unknown): value is MirageModel {
  return isObject(value) && typeof value.modelName === "string" && isObject(value.attrs) &&
    typeof value.destroy === "function";
}

/** Whether a value is a Mirage collection, including polymorphic ones. */
export function isMirageCollection(value: unknown): value is MirageCollection {
  return isObject(value) && Array.isArray(value.models) &&
    typeof value.mergeCollection === "function";
}

/** A relation between two models, as Mirage's association has it. */
export interface Relation {
  /** Name of the association, which is the name of the field. */
  readonly name: string;
  /** Whether it leads to many records. */
  readonly isList: boolean;
  /** Attribute that holds the id or the ids; polymorphic ones hold `{ type, id }`. */
  readonly foreignKey: string;
  /** Dasherized name of the model it leads to; `undefined` where polymorphic. */
  readonly modelName: string | undefined;
}

/** A GraphQL object type and the Mirage model that holds its records. */
export interface MockModel {
  /** The GraphQL type's own name, in its own casing. */
  readonly typeName: string;
  /** Mirage's dasherized name, such as `blog-post`. */
  readonly modelName: string;
  /** Name of the table in the database, such as `blogPosts`. */
  readonly collectionName: string;
  /** Relations by field name. */
  readonly relations: ReadonlyMap<string, Relation>;
  /** Names of getters and methods that the host's model class adds. */
  readonly getters: ReadonlySet<string>;
}

/** Which type's records stand in which model. */
export interface ModelMap {
  /** The model of a GraphQL type; `undefined` for abstract, embedded, payload and Relay types. */
  ofType(typeName: string): MockModel | undefined;
  /** The model of a dasherized Mirage name. */
  ofModel(modelName: string): MockModel | undefined;
  /** All of them, in the order of the GraphQL schema. */
  readonly models: readonly MockModel[];
}

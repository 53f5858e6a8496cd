/** What a mutation does to its records. */
export type WriteAction = "create" | "update" | "delete" | "upsert";

/**
 * What mutations of a name do, by the roles of their arguments. A mutation has such a name and only
 * such arguments, of which it may lack some.
 *
 * The name of an argument may be a pattern, and lead to a field of an input: `input.{record}Patch`.
 * Every other key is one of those below.
 */
export interface MutationRule {
  /** What happens to the records. An upsert updates what it finds, and else creates. */
  readonly does: WriteAction;
  /** What the mutation returns. */
  readonly gives: Gives;
  /** Values that are written in any case: `{ archived: true }`. */
  readonly set?: ArgumentRole | Readonly<Record<string, unknown>>;
  /** The roles of the arguments, by their names. */
  readonly [argument: string]:
    | ArgumentRole
    | WriteAction
    | Gives
    | Readonly<Record<string, unknown>>
    | undefined;
}

/** What an argument of a mutation is for. */
export type ArgumentRole =
  /** A value by which the record is found, or an object of such values. */
  | "key"
  /** An object by which records are found, as in a query; each of a list finds one. */
  | "filter"
  /** An object that the record has to match. */
  | "condition"
  /** A value to write, into the attribute of that name. */
  | "value"
  /** An object with values to write. */
  | "values"
  /** A list of such objects, one for each record. */
  | "values[]"
  /** In an upsert, the values of a new record. */
  | "created"
  /** An object with changes of values, under one of the names in `changes`. */
  | "change"
  /** What to do if the record exists: `{ constraint, update_columns, where }`. */
  | "conflict"
  /** Whether records that exist are left as they are. */
  | "skip"
  /** Without effect. */
  | "ignored";

/** What a mutation returns, or what the fields of its payload have, by patterns of their names. */
export type Gives = GivenPart | Readonly<Record<string, GivenPart>>;

/** What a mutation, or a field of its payload, has. */
export type GivenPart =
  /** The record; the first one of several. */
  | "record"
  /** All records. */
  | "records"
  /** The record as an edge of a connection. */
  | "edge"
  /** How many records were written, those of nested inputs included. */
  | "count"
  /** The id of the record. */
  | "id"
  /** The ids of all records. */
  | "ids"
  /** The id of the record if it was deleted. */
  | "deleted id"
  /** The field of the record with that name, such as a relation. */
  | "field"
  /** The client's id of the mutation. */
  | "clientMutationId"
  /** The root of queries. */
  | "query"
  /** Whether it succeeded. */
  | "true"
  /** A list without items, of errors. */
  | "none";

/** What is done to the records of a relation. */
export type NestedOperationName =
  /** The relation leads to these records alone. */
  | "set"
  /** The relation leads to further records that exist. */
  | "connect"
  /** The relation no longer leads to the records. */
  | "disconnect"
  /** Creates related records. */
  | "create"
  /** Creates those in the list `data`. */
  | "createMany"
  /** Leads to the record that `where` finds, or to a new one. */
  | "connectOrCreate"
  | "update"
  | "updateMany"
  /** Updates the related record, or creates one. */
  | "upsert"
  | "delete"
  | "deleteMany"
  /** What to do if a record to create exists. */
  | "conflict";

/** How a value changes. */
export type ValueChangeName =
  | "set"
  /** Removes the value, for the operand `true`. */
  | "unset"
  | "increment"
  | "decrement"
  | "multiply"
  | "divide"
  /** Adds items at the end of a list. */
  | "push"
  /** Joins JSON as PostgreSQL does, after the value. */
  | "append"
  /** Joins JSON as PostgreSQL does, before the value. */
  | "prepend"
  /** Removes a key of an object, or an item of a list. */
  | "deleteKey"
  /** Removes the item of a list at a position. */
  | "deleteElement";

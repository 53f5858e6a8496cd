/**
 * How one API names its arguments, fields and mutations, as data. What is left out, the API does not
 * have.
 *
 * In the keys and texts that are called patterns, placeholders stand for the names of each model:
 *
 * | placeholder | of `type BlogPost`           | of `type blog_posts` |
 * | ----------- | ---------------------------- | -------------------- |
 * | `{record}`  | `blogPost`                   | `blog_posts`         |
 * | `{Record}`  | `BlogPost`                   | `Blog_posts`         |
 * | `{records}` | `blogPosts`                  | `blog_posts`         |
 * | `{Records}` | `BlogPosts`                  | `Blog_posts`         |
 * | `*`         | any further part of the name | the same             |
 *
 * @example A team's own API
 * ```ts
 * import type { Dialect } from "@trestle/mirage-graphql";
 *
 * export const ours: Dialect = {
 *   name: "ours",
 *   list: { limit: "max" },
 *   mutations: {
 *     "archive{Record}": { does: "update", id: "key", set: { archived: true }, gives: "record" },
 *   },
 * };
 * ```
 */
export interface Dialect {
  /** Its name in errors. */
  readonly name: string;
  /** The arguments of fields that return several records, and what their pages say. */
  readonly list?: ListRules;
  /** Patterns of root fields that find one record by its key: `{records}_by_pk`, `get{Record}`. */
  readonly byKey?: Names;
  /** Numbers and other aggregates of records. */
  readonly aggregate?: AggregateRules;
  /** Mutations, by patterns of their names. */
  readonly mutations?: Readonly<Record<string, MutationRule>>;
  /** What the fields of an input do to a relation: `{ connect: { id: 1 } }`. */
  readonly nested?: Readonly<Record<string, NestedOperationName>>;
  /** How the fields of an input change a value, `{ increment: 1 }`, and how arguments do: `_inc`. */
  readonly changes?: Readonly<Record<string, ValueChangeName>>;
  /** Words by which names that no pattern has are interpreted. */
  readonly words?: Words;
}

/** A name, or several with one meaning. */
export type Names = string | readonly string[];

/**
 * The arguments of lists and connections. A name with a dot is that of a field of an argument:
 * `pagination.pageSize`.
 */
export interface ListRules {
  /** The most records to return, from the first one on. */
  readonly limit?: Names;
  /** How many records to skip. */
  readonly offset?: Names;
  /** The number of the page, from 1. */
  readonly page?: Names;
  /** The most records to return after the cursor `after`. */
  readonly first?: Names;
  /** The most records to return before the cursor `before`. */
  readonly last?: Names;
  /** The cursor after which the page starts. */
  readonly after?: Names;
  /** The cursor before which the page ends. */
  readonly before?: Names;
  /** The cursor, or the key, of the first record of the page. */
  readonly position?: Names;
  /** The arguments that sort. */
  readonly order?: OrderRules;
  /** The arguments that filter. */
  readonly filter?: FilterRules;
  /** The field of a page that has the records, apart from `nodes` and `edges`: `items`. */
  readonly nodes?: Names;
  /** Fields that describe a page, by their names: `totalCount`, `pageInfo.pageCount`. */
  readonly facts?: Readonly<Record<string, PageFactName>>;
}

/** What a field says about a page. */
export type PageFactName =
  /** The number of records of all pages. */
  | "total"
  /** The number of records of a page. */
  | "size"
  /** How many records are before the page. */
  | "offset"
  /** The number of the page, from 1. */
  | "page"
  /** The number of pages. */
  | "pages"
  /** Whether there is a page after this one. */
  | "has next"
  /** Whether there is a page before this one. */
  | "has previous"
  /** The number of the next page, if there is one. */
  | "next page"
  /** The number of the page before, if there is one. */
  | "previous page"
  /** The cursor of the first record. */
  | "start cursor"
  /** The cursor of the last record. */
  | "end cursor"
  /** The cursor of the last record, if there is a next page. */
  | "next cursor"
  /** The cursor of the first record, if there is a page before. */
  | "previous cursor";

/** The arguments that sort a list. */
export interface OrderRules {
  /** What to sort by. */
  readonly argument?: Names;
  /**
   * The form of a key in it; lists of keys are accepted too.
   *
   * - `"{field: direction}"`: `{ title: asc }`, `{ author: { name: asc } }`
   * - `"{field, direction}"`: `{ field: TITLE, direction: ASC }`
   * - `"FIELD_DIRECTION"`: `TITLE_ASC`
   * - `"field:direction"`: `"title:asc"`
   * - `"field"`: `TITLE`, with its direction in another argument
   */
  readonly form?:
    | "{field: direction}"
    | "{field, direction}"
    | "FIELD_DIRECTION"
    | "field:direction"
    | "field";
  /** An argument with the direction alone. */
  readonly direction?: Names;
  /** A Boolean argument that reverses the order. */
  readonly reverse?: Names;
  /** The directions by their names; by default `asc` and `desc` in any casing. */
  readonly directions?: Readonly<Record<string, DirectionName>>;
}

/** A direction, and where records without a value come; by default, they sort after all values. */
export type DirectionName = `${"asc" | "desc"}${"" | " nulls first" | " nulls last"}`;

/** The arguments that filter a list. */
export interface FilterRules {
  /** Input objects whose fields are those of the records, and the words below. */
  readonly argument: Names;
  /** Fields with filters that all have to match. */
  readonly and?: Names;
  /** Fields with filters of which one has to match. */
  readonly or?: Names;
  /** Fields with a filter that must not match. */
  readonly not?: Names;
  /**
   * Which related records have to match a filter under a relation's name: a word if the filter
   * stands there itself, or the words between: `{ some: "some", none: "none" }`.
   */
  readonly related?: QuantifierName | Readonly<Record<string, QuantifierName>>;
  /** The operators under an attribute's name: `{ _eq: "eq", _nlike: "not like" }`. */
  readonly operators?: Readonly<Record<string, OperatorName>>;
}

/** Which of the related records have to match; `"is not"` is about a single one. */
export type QuantifierName = "some" | "every" | "none" | "is not";

/** A comparison, its negation, and whether letters match in either case. */
export type OperatorName = `${"" | "not "}${ComparisonName}${"" | " ignoring case"}`;

/** What an operator compares. */
export type ComparisonName =
  /** The value is the operand. */
  | "eq"
  /** The value is one of the operands; a list has one of them. */
  | "in"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  /** The text has the operand in it; the list has it as an item. */
  | "contains"
  /** The text has one of the operand's words. */
  | "anyword"
  /** The text has all of the operand's words. */
  | "allwords"
  | "starts"
  | "ends"
  /** The text matches a pattern of SQL, with `%` and `_`. */
  | "like"
  /** The text matches a regular expression. */
  | "regex"
  /** The value is between two operands, or one of them. */
  | "between"
  /** The list has all of the operands. */
  | "all"
  /** Whether there is no value. */
  | "null"
  /** The value is not the operand; `null` is a value. */
  | "distinct"
  /** Whether the list or the text is empty. */
  | "empty";

/** Numbers and other aggregates of the records of a model, or of a relation. */
export interface AggregateRules {
  /** Patterns of fields that return the number of records itself: `{records}Count`. */
  readonly count?: Names;
  /** Patterns of fields that return an object with aggregates: `{records}_aggregate`. */
  readonly field?: Names;
  /** The field of that object that has the functions, unless it has them itself. */
  readonly value?: string;
  /** The field of that object that has the records. */
  readonly nodes?: string;
  /** The functions by the names of their fields: `{ sum: "sum" }`. */
  readonly functions?: Readonly<Record<string, AggregateFunctionName>>;
}

/** A function of the values of one attribute. */
export type AggregateFunctionName = "count" | "distinct" | "sum" | "avg" | "min" | "max";

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

/**
 * Words by which names that no pattern has are interpreted, in lower case and separated by spaces.
 * They are added to those of the dialects before.
 */
export interface Words {
  /** Verbs of mutations that create. */
  readonly create?: string;
  /** Verbs of mutations that update. */
  readonly update?: string;
  /** Verbs that update if the rest of the name is about a model or its attributes. */
  readonly change?: string;
  /** Verbs of mutations that delete. */
  readonly delete?: string;
  /** Verbs of mutations that update or create. */
  readonly upsert?: string;
  /** Verbs of mutations that only a resolver can define. */
  readonly close?: string;
  /** Words that are not part of a model's name. */
  readonly fillers?: string;
  /** Words after which a name says more than what is written. */
  readonly prepositions?: string;
  /** Words for many records in the name of a mutation. */
  readonly many?: string;
  /** Words of input objects by which records to write are found. */
  readonly find?: string;
  /** Words of input objects that a record to write has to match. */
  readonly condition?: string;
  /** Words of input objects about a record that exists. */
  readonly conflict?: string;
  /** Words next to which a number counts what was written. */
  readonly written?: string;
  /** Words of arguments for the most records to return. */
  readonly limit?: string;
  /** Words of arguments for the number of records to skip. */
  readonly offset?: string;
  /** Words of arguments about pages. */
  readonly page?: string;
  /** Words of input objects that group arguments. */
  readonly group?: string;
  /** Words of arguments that sort. */
  readonly order?: string;
  /** Words of Boolean arguments that reverse the order. */
  readonly reverse?: string;
  /** Words of keys that leave the order to the server. */
  readonly anyOrder?: string;
  /** Words of arguments that search texts. */
  readonly search?: string;
  /** Words of fields with aggregates. */
  readonly aggregate?: string;
}

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

import type { AggregateRules, ListRules, Names } from "./list_rules.ts";
import type { MutationRule, NestedOperationName, ValueChangeName } from "./mutation_rules.ts";

export type * from "./list_rules.ts";
export type * from "./mutation_rules.ts";

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

/**
 * Words by which names that no pattern has are interpreted, in lower case and separated by spaces.
 * They are added to those of the dialects before.
 */
export interface Words {
  /** Verbs of mutations that create. */
  readonly create?: string;
  /** Verbs of mutations that create, at the beginning of a name alone. */
  readonly begin?: string;
  /** Verbs of mutations that update. */
  readonly update?: string;
  /** Verbs that update if the rest of the name is about a model or its attributes. */
  readonly change?: string;
  /** Verbs of mutations that delete. */
  readonly delete?: string;
  /** Verbs of mutations that update or create. */
  readonly upsert?: string;
  /** Verbs that reverse another, each with it: `reopen:close`. */
  readonly undo?: string;
  /** Verbs that put the records of a list into another order. */
  readonly reorder?: string;
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
  /** Names of mutations that log in, such as `signin`, also beside a type or `with` and `password`. */
  readonly login?: string;
  /** Names of mutations that create a user and log in. */
  readonly signup?: string;
  /** Names of mutations that log out. */
  readonly logout?: string;
  /** Verbs of mutations that ask for an e-mail, as in `requestPasswordReset`. */
  readonly mail?: string;
  /** Names of fields that return the user who is logged in. */
  readonly viewer?: string;
  /** Names of arguments about the request as a whole, such as its language; `languagecode`. */
  readonly context?: string;
  /** Words of fields with aggregates. */
  readonly aggregate?: string;
}

/**
 * A line of a dialect that a request follows: `hasura`, `list.filter.operators` and `_gte` are
 * `hasura.list.filter.operators._gte`.
 */
export interface FollowedRule {
  /** The dialect's name. */
  readonly dialect: string;
  /** The part of the dialect, by the names of its keys: `mutations`, `list.limit`, `words.close`. */
  readonly place: string;
  /** What is there, as the dialect writes it: `update_{records}`, `take`, `archive`. */
  readonly pattern: string;
}

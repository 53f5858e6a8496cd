/** What a person who tries the app can do to its server. */
export interface MockControls {
  /** Sets how long every answer takes, in milliseconds. */
  setDelay(ms: number): void;
  /** Lets the next GraphQL request fail. */
  failNextGraphQL(): void;
  /** Lets the next REST request fail. */
  failNextRest(): void;
  /** Writes to the database as somebody else would. */
  postAsColleague(): void;
}

/** What a person who tries the app can do to its server. */
export interface MockControls {
  /** Sets how long every answer takes, in milliseconds. */
  setDelay(ms: number): void;
  /** Makes the next GraphQL request fail. */
  failNextGraphQL(): void;
  /** Makes the next REST request fail. */
  failNextRest(): void;
  /** Writes to the database as another user would. */
  postAsColleague(): void;
}

/**
 * Ends the run of a plan that has met what graphql-js's executor alone can answer for, such as an
 * error or code of the host's that is to run once.
 */
export class NeedsExecutor extends Error {
  override readonly name = "NeedsExecutor";
}

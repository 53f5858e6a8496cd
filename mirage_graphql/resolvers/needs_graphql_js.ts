/**
 * Ends the run of a plan that has met what graphql-js alone can answer for, such as an error or code
 * of the host's that is to run once.
 */
export class NeedsGraphQLJs extends Error {
  override readonly name = "NeedsGraphQLJs";
}

/** Ends the planning of an operation that graphql-js's executor has to answer each time. */
export class NotPlanned extends Error {
  override readonly name = "NotPlanned";
}

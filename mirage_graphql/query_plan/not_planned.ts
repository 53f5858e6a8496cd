/** Ends the planning of an operation that graphql-js has to answer each time. */
export class NotPlanned extends Error {
  override readonly name = "NotPlanned";
}

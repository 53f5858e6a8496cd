/** Ends the planning of an operation that holds what only graphql-js's executor can answer. */
export class NotPlanned extends Error {
  override readonly name = "NotPlanned";
}

/** Ends the run of a plan that met a value which only graphql-js's executor can answer for. */
export class NeedsExecutor extends Error {
  override readonly name = "NeedsExecutor";
}

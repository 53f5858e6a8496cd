import { GraphQLError } from "graphql";

/** An error for the user to fix: in the schema, the seeds or the command line. */
export class ServeError extends Error {
  /** Name of the error class. */
  override readonly name = "ServeError";
}

/**
 * Creates an error with one line per problem, with its location if that is known; `file` is the
 * location of those without one.
 */
export function toServeError(file: string, problems: readonly unknown[]): ServeError {
  const lines = problems.map((problem) => {
    const message = problem instanceof Error ? problem.message : String(problem);
    const isLocated = problem instanceof GraphQLError;
    const [place] = isLocated ? problem.locations ?? [] : [];
    const name = isLocated && place !== undefined ? problem.source?.name ?? file : file;
    return `${name}${place === undefined ? "" : `:${place.line}:${place.column}`}: ${message}`;
  });
  return new ServeError(lines.join("\n"), { cause: problems[0] });
}

import { GraphQLError } from "graphql";

/** What a person has to mend: in the schema, the seeds or the command itself. */
export class ServeError extends Error {
  /** Name of the error class. */
  override readonly name = "ServeError";
}

/** Texts of what is wrong with a file, one a line, each with its place where that is known. */
export function toServeError(file: string, problems: readonly unknown[]): ServeError {
  const lines = problems.map((problem) => {
    const message = problem instanceof Error ? problem.message : String(problem);
    const [place] = problem instanceof GraphQLError ? problem.locations ?? [] : [];
    return `${file}${place === undefined ? "" : `:${place.line}:${place.column}`}: ${message}`;
  });
  return new ServeError(lines.join("\n"), { cause: problems[0] });
}

import { GraphQLError } from "graphql";

/**
 * The error of a call that no rule explains, so that its field needs a resolver: not one of the data,
 * such as an id that no record has.
 */
export class UnresolvedField extends GraphQLError {
  /** Name of the type that has the field. */
  readonly typeName: string;
  /** Name of the field. */
  readonly fieldName: string;

  /** `path` is the field with its type: `Mutation.archivePost`. */
  constructor(message: string, path: string) {
    super(message);
    [this.typeName = "", this.fieldName = ""] = path.split(".");
  }
}

/** The field that an error of a response says is unresolved; `undefined` for other errors. */
export function unresolvedOf({ originalError }: GraphQLError): UnresolvedField | undefined {
  return originalError instanceof UnresolvedField ? originalError : undefined;
}

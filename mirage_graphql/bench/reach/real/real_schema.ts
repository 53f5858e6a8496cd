import type { DocumentedOperation } from "../documented_operation.ts";

/** The schema of a public API, from an npm package. */
export interface RealSchema {
  readonly name: string;
  /** Name and version of the package. */
  readonly package: string;
  /** The schema's files in the package: an introspection result, or all `.graphql` files of folders. */
  readonly paths: readonly string[];
  /** Changes the definitions as the API's own server does. */
  readonly complete?: (definitions: string) => string;
  readonly operations: readonly DocumentedOperation[];
}

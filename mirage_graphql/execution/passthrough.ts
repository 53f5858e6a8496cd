import { type DocumentNode, parse } from "graphql";
import { infoOf, isOperation } from "./document_cache.ts";
import type { ExecutableRequest, MockRequest, OperationInfo } from "./graphql_request.ts";

/**
 * The platform's `fetch` and its classes. Interceptors, including that of Mirage in a page, replace
 * them, and would lead back to the mock.
 */
export const network = {
  /** A page's `fetch` refuses to be the method of another object; jsdom has none. */
  fetch: globalThis.fetch?.bind(globalThis),
  Headers: globalThis.Headers,
  Response: globalThis.Response,
};

/** Operations that go to the network: their names, or a function of an operation. */
export type Passthrough = readonly string[] | ((operation: OperationInfo) => boolean);

/**
 * Creates the function that finds the operation of a request, if that passes
 * through; it may have fields that the schema lacks.
 *
 * @throws {TypeError} If the option is neither a list nor a function.
 */
export function createPassthrough(
  passthrough: Passthrough | undefined,
): (one: ExecutableRequest, request: MockRequest) => OperationInfo | undefined {
  if (passthrough === undefined) return () => undefined;
  if (typeof passthrough !== "function" && !Array.isArray(passthrough)) {
    throw new TypeError(
      `Cannot use passthrough "${passthrough}": it must be a list of operation names, or a ` +
        "function of an operation",
    );
  }
  const isPassing = typeof passthrough === "function"
    ? passthrough
    : ({ name }: OperationInfo) => name !== undefined && passthrough.includes(name);
  return (one, request) => {
    // a request without an address, such as that of handler.query(), can't go to the network
    if (request.url === undefined) return undefined;
    const operation = operationOf(one);
    if (operation === undefined) return undefined;
    const info = infoOf(operation, one);
    return isPassing(info) ? info : undefined;
  };
}

function operationOf({ query, operationName }: ExecutableRequest) {
  const operations = parsed(query)?.definitions.filter(isOperation) ?? [];
  const isNamed = operationName !== undefined && operationName !== null;
  return isNamed ? operations.find(({ name }) => name?.value === operationName) : operations[0];
}

/** A document that can't be parsed is left to the mock, which rejects it. */
function parsed(query: string | DocumentNode): DocumentNode | undefined {
  if (typeof query !== "string") return query;
  try {
    return parse(query, { noLocation: true });
  } catch {
    return undefined;
  }
}

import { isPromise, type MockRequest, type PromiseOrValue } from "./graphql_request.ts";

/** What the host adds to the context of every resolver. */
export type ContextOption =
  | object
  | ((request: MockRequest) => PromiseOrValue<object>);

/** Makes the context of a request. */
export type ContextFactory = (request: MockRequest | undefined) => PromiseOrValue<object>;

/** Puts what every resolver finds in its context over what the host adds. */
export function contextFactory(
  context: ContextOption | undefined,
  mockSchema: object,
): ContextFactory {
  const own = { mockSchema, mirageSchema: mockSchema };
  if (context === undefined) {
    return (request = {}) => ({ mockSchema, mirageSchema: mockSchema, request });
  }
  if (typeof context !== "function") return (request = {}) => ({ ...context, ...own, request });
  return (request = {}) => {
    const value = context(request);
    return isPromise(value)
      ? value.then((added) => ({ ...added, ...own, request }))
      : { ...value, ...own, request };
  };
}

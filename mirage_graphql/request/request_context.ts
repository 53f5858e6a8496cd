import { isPromise, type MockRequest, type PromiseOrValue } from "./graphql_request.ts";

/** What the host adds to the context of every resolver: an object, or a function that makes it. */
export type ContextOption<Context = object> =
  // a mapped type, so that `Context` is rather inferred from what the function returns
  | (Readonly<Context> & object)
  | ((request: MockRequest) => PromiseOrValue<Context & object>);

/** What every resolver finds in its context, beside what the host adds. */
export interface MockContext {
  /** Mirage's schema, with the methods of the host's models: `context.mockSchema.people.find(1)`. */
  // the boundary: what Mirage puts on its schema depends on the models
  // deno-lint-ignore no-explicit-any
  readonly mockSchema: any;
  /** The same object, by the name that `@miragejs/graphql` gives it. */
  // deno-lint-ignore no-explicit-any
  readonly mirageSchema: any;
  /** The HTTP request that is answered. */
  readonly request: MockRequest;
}

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

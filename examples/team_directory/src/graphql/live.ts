import type { NoVariables, TypedDocument } from "./client.ts";

interface LiveResult {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

/**
 * Starts a subscription, like `iterate()` of graphql-sse; the mock server provides the same
 * function.
 */
export type Subscribe = (
  request: { readonly query: string },
  options: { readonly signal: AbortSignal },
) => AsyncIterable<LiveResult>;

let subscribe: Subscribe | undefined;

/** Sets the source of subscriptions. */
export function connectLive(source: Subscribe): void {
  subscribe = source;
}

/** Calls back with every result of a subscription, until the signal aborts. */
export async function listen<Result>(
  document: TypedDocument<Result, NoVariables>,
  onResult: (result: Result) => void,
  signal: AbortSignal,
): Promise<void> {
  if (subscribe === undefined) throw new Error("Cannot listen: connectLive() has not been called");
  for await (const { data, errors } of subscribe({ query: document.source }, { signal })) {
    if (errors?.[0]) throw new Error(errors[0].message);
    onResult(data as Result);
  }
}

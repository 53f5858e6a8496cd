/** The arguments of a call of `fetch`. */
export interface FetchCall {
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
}

/** Handles calls of `fetch`. */
export interface CallHandler {
  /** Handles a call; `undefined` if it is not for this handler. */
  handle(call: FetchCall, realFetch: typeof fetch): Promise<Response> | undefined;
  /** Handles a call that no handler has handled. */
  handleUnmatched(call: FetchCall, realFetch: typeof fetch): Promise<Response>;
}

/** The active handlers, the latest last; they can be removed in any order. */
let handlers: readonly CallHandler[] = [];
/** Restores the replaced `fetch`; set while there are handlers. */
let close: (() => void) | undefined;

/** Adds a handler of `globalThis.fetch`, which comes before earlier ones. */
export function enterFetchGate(handler: CallHandler): void {
  leaveFetchGate(handler);
  handlers = [...handlers, handler];
  close ??= replaceFetch();
}

/** Removes a handler; the last one to be removed restores `globalThis.fetch`. */
export function leaveFetchGate(handler: CallHandler): void {
  handlers = handlers.filter((one) => one !== handler);
  if (handlers.length > 0) return;
  close?.();
  close = undefined;
}

/**
 * If other code has replaced `fetch` since, its function stays; without handlers, this module's
 * function passes calls on.
 */
function replaceFetch(): () => void {
  const realFetch = globalThis.fetch;
  const replacement: typeof fetch = (input, init) => dispatch({ input, init }, realFetch);
  globalThis.fetch = replacement;
  return () => {
    if (globalThis.fetch === replacement) globalThis.fetch = realFetch;
  };
}

async function dispatch(call: FetchCall, realFetch: typeof fetch): Promise<Response> {
  const latestFirst = handlers.toReversed();
  for (const handler of latestFirst) {
    const answer = handler.handle(call, realFetch);
    if (answer !== undefined) return await answer;
  }
  const [latest] = latestFirst;
  return await (latest?.handleUnmatched(call, realFetch) ?? realFetch(call.input, call.init));
}

/** The arguments of a call of `fetch`. */
export interface FetchCall {
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
}

/** Handles calls of `fetch`. */
export interface FetchAnswerer {
  /** Handles a call; `undefined` if it is not for this handler. */
  answer(call: FetchCall, realFetch: typeof fetch): Promise<Response> | undefined;
  /** Handles a call that no handler took. */
  answerUnmatched(call: FetchCall, realFetch: typeof fetch): Promise<Response>;
}

/** The active handlers, the latest last; they can be removed in any order. */
let answerers: readonly FetchAnswerer[] = [];
/** Restores the replaced `fetch`; set while there are handlers. */
let close: (() => void) | undefined;

/** Adds a handler of `globalThis.fetch`, which comes before earlier ones. */
export function enterFetchGate(answerer: FetchAnswerer): void {
  leaveFetchGate(answerer);
  answerers = [...answerers, answerer];
  close ??= replaceFetch();
}

/** Removes a handler; the last one to be removed restores `globalThis.fetch`. */
export function leaveFetchGate(answerer: FetchAnswerer): void {
  answerers = answerers.filter((one) => one !== answerer);
  if (answerers.length > 0) return;
  close?.();
  close = undefined;
}

/**
 * If other code has replaced `fetch` since, its function stays; without handlers, ours passes calls
 * on.
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
  const latestFirst = answerers.toReversed();
  for (const answerer of latestFirst) {
    const answer = answerer.answer(call, realFetch);
    if (answer !== undefined) return await answer;
  }
  const [latest] = latestFirst;
  return await (latest?.answerUnmatched(call, realFetch) ?? realFetch(call.input, call.init));
}

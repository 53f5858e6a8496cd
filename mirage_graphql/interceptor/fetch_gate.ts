/** What a call of `fetch` brings. */
export interface FetchCall {
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
}

/** Someone who answers calls of `fetch`. */
export interface FetchAnswerer {
  /** Answers a call, or says `undefined` where it isn't for this one. */
  answer(call: FetchCall, realFetch: typeof fetch): Promise<Response> | undefined;
  /** Answers a call that none of them took. */
  answerUnmatched(call: FetchCall, realFetch: typeof fetch): Promise<Response>;
}

/** The answerers in force, the latest last: they can leave in any order. */
let answerers: readonly FetchAnswerer[] = [];
/** Takes the replaced `fetch` back; set while there are answerers. */
let close: (() => void) | undefined;

/** Lets an answerer take calls of `globalThis.fetch`, before those who came earlier. */
export function enterFetchGate(answerer: FetchAnswerer): void {
  leaveFetchGate(answerer);
  answerers = [...answerers, answerer];
  close ??= replaceFetch();
}

/** Takes an answerer out; the last one to leave puts `globalThis.fetch` back. */
export function leaveFetchGate(answerer: FetchAnswerer): void {
  answerers = answerers.filter((one) => one !== answerer);
  if (answerers.length > 0) return;
  close?.();
  close = undefined;
}

/** A `fetch` that someone else put over ours stays; with no answerers, ours passes calls through. */
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

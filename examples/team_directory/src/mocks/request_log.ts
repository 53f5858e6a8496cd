import { shallowReactive } from "vue";

/** One request as the mock server saw it. */
export interface LoggedRequest {
  readonly id: number;
  readonly title: string;
  /** HTTP status, or the request's state if it has none. */
  readonly state: number | "pending" | "cancelled";
}

/** What the log needs from Mirage's interceptor, whose own types lack `handleRequest()`. */
export interface Interceptor {
  handleRequest(request: InterceptedRequest): void;
}

interface InterceptedRequest extends EventTarget {
  readonly method: string;
  readonly url: string;
  readonly requestBody: string;
  readonly status: number;
}

/** The latest requests, newest first. */
export type RequestLog = readonly LoggedRequest[];

const MAX_REQUESTS = 30;

/** Keeps a log of the requests that Mirage's interceptor handles. */
export function logRequests(interceptor: Interceptor): RequestLog {
  const log = shallowReactive<LoggedRequest[]>([]);
  const handle = interceptor.handleRequest.bind(interceptor);
  let lastId = 0;

  interceptor.handleRequest = (request) => {
    const id = ++lastId;
    const title = titleOf(request);
    log.unshift({ id, title, state: "pending" });
    log.splice(MAX_REQUESTS);
    const end = (state: LoggedRequest["state"]) => {
      const index = log.findIndex((entry) => entry.id === id);
      if (index >= 0) log[index] = { id, title, state };
    };
    request.addEventListener("load", () => end(request.status));
    request.addEventListener("abort", () => end("cancelled"));
    handle(request);
  };
  return log;
}

function titleOf({ method, url, requestBody }: InterceptedRequest): string {
  const { pathname } = new URL(url, location.href);
  if (pathname !== "/graphql") return `${method.toUpperCase()} ${pathname}`;
  const name = /^\s*(?:query|mutation) (\w+)/.exec(JSON.parse(requestBody).query)?.[1];
  return `GraphQL ${name}`;
}

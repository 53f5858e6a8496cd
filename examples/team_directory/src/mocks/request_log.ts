import { shallowReactive } from "vue";

/** One request of the page. */
export interface LoggedRequest {
  readonly id: number;
  readonly title: string;
  /** HTTP status, or the request's state if it has none. */
  readonly state: number | "pending" | "cancelled";
}

/** The latest requests, newest first. */
export type RequestLog = readonly LoggedRequest[];

const MAX_REQUESTS = 30;

/** Keeps a log of the page's calls of `fetch`. */
export function logRequests(): RequestLog {
  const log = shallowReactive<LoggedRequest[]>([]);
  const send = globalThis.fetch;
  let lastId = 0;

  globalThis.fetch = async (input, init) => {
    const id = ++lastId;
    const title = titleOf(input, init);
    const end = (state: LoggedRequest["state"]) => {
      const index = log.findIndex((entry) => entry.id === id);
      if (index >= 0) log[index] = { id, title, state };
    };
    log.unshift({ id, title, state: "pending" });
    log.splice(MAX_REQUESTS);
    try {
      const response = await send(input, init);
      end(response.status);
      return response;
    } catch (error) {
      end("cancelled");
      throw error;
    }
  };
  return log;
}

function titleOf(...[input, init]: Parameters<typeof fetch>): string {
  const { url, method } = input instanceof Request
    ? input
    : new Request(input, { method: init?.method });
  const { pathname } = new URL(url);
  if (pathname !== "/graphql") return `${method} ${pathname}`;
  const name = /^\s*(?:query|mutation|subscription) (\w+)/.exec(JSON.parse(`${init?.body}`).query);
  return `GraphQL ${name?.[1]}`;
}

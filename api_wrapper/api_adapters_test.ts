import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import axios from "axios";
import oldest from "axios-1.7";
import { type Api, api, type ApiInstance } from "./api.ts";
import { cancelPendingRequests } from "./pending_requests.ts";
import { servePostsSite } from "./testing/posts_site.ts";

/** Each way to cancel a request, with the reason that its error must report. */
const WAYS: readonly [name: string, cancel: (posts: Api, own: AbortController) => void][] = [
  ["cancelPendingRequests()", () => cancelPendingRequests("why")],
  ["the module's cancelPendingRequests()", (posts) => posts.cancelPendingRequests("why")],
  ["the caller's signal", (_, own) => own.abort("why")],
];

/** What the two axios releases have in common, as far as these tests need it. */
interface Client {
  readonly AxiosError: new (message: string) => Error;
  readonly CanceledError: new (message: string) => Error;
  readonly isCancel: (error: unknown) => boolean;
  readonly create: (config: { baseURL: string; adapter: string }) => ApiInstance;
}

const CLIENTS: readonly [name: string, client: Client][] = [
  [`axios ${axios.VERSION}`, axios],
  [`axios ${oldest.VERSION}`, oldest],
];

for (const [name, client] of CLIENTS) {
  for (const adapter of ["http", "fetch"]) {
    for (const [way, cancel] of WAYS) {
      Deno.test(`${way} ends a request on the wire: ${name}, adapter ${adapter}`, async () => {
        await using site = servePostsSite();
        const posts = api("/slow", client.create({ baseURL: site.url, adapter }));
        const own = new AbortController();
        const request = posts.get(7, { signal: own.signal });
        await site.arrived("GET /slow/7");
        cancel(posts, own);
        await rejects(request, (error) => {
          strictEqual(client.isCancel(error), true);
          strictEqual(error instanceof Error && error.message, "why");
          strictEqual(error instanceof Error && error.cause, "why");
          return true;
        });
        await site.hungUp("GET /slow/7");
      });
    }

    for (const kind of ["AxiosError", "CanceledError"] as const) {
      Deno.test(`a reason of type ${kind} is passed on unchanged: ${name}, ${adapter}`, async () => {
        await using site = servePostsSite();
        const posts = api("/slow", client.create({ baseURL: site.url, adapter }));
        const reason = new client[kind]("expired");
        const before = { ...reason };
        const requests = [posts.get(7), posts.get(8)];
        await Promise.all([site.arrived("GET /slow/7"), site.arrived("GET /slow/8")]);
        cancelPendingRequests(reason);
        for (const request of requests) {
          await rejects(request, (error) => {
            strictEqual(client.isCancel(error) && error !== reason, true);
            strictEqual(error instanceof Error && error.cause, reason);
            return true;
          });
        }
        deepStrictEqual([{ ...reason }, reason.message], [before, "expired"]);
      });
    }

    Deno.test(`cancelPendingRequests() before a request is sent: ${name}, ${adapter}`, async () => {
      await using site = servePostsSite();
      const request = api("/slow", client.create({ baseURL: site.url, adapter })).get(7);
      cancelPendingRequests("why");
      await rejects(request, (error) => client.isCancel(error) && `${error}`.endsWith(": why"));
    });
  }
}

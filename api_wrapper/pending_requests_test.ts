import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import axios from "axios";
import { api } from "./api.ts";
import {
  cancelPendingRequests,
  collectRequests,
  pending,
  type PendingRequest,
} from "./pending_requests.ts";
import { createHeldAdapter, settle } from "./testing/held_adapter.ts";

Deno.test("cancelPendingRequests() cancels every pending request of every module", async () => {
  const { instance } = createHeldAdapter();
  const [posts, users] = [api("/posts", instance), api("/users", instance)];
  const pending = [
    posts.get(),
    posts.post({}),
    users.put(1, {}),
    users.patch(1, {}),
    users.delete(1),
  ];
  cancelPendingRequests();
  for (const request of pending) await rejects(request, axios.isCancel);
});

Deno.test("cancelPendingRequests() of a module leaves the others alone", async () => {
  const { instance, held } = createHeldAdapter();
  const [posts, users] = [api("/posts", instance), api("/users", instance)];
  const [mine, other] = [posts.get(), users.get<string>()];
  posts.cancelPendingRequests("mine");
  await rejects(mine, axios.isCancel);
  held[1]?.answer("Ada");
  strictEqual((await other).data, "Ada");
});

Deno.test("cancelPendingRequests() of a module leaves one with the same URL alone", async () => {
  const { instance, held } = createHeldAdapter();
  const other = api("/posts", instance).get<string>();
  api("/posts", instance).cancelPendingRequests();
  held[0]?.answer("still here");
  strictEqual((await other).data, "still here");
});

for (
  const [name, reason, message] of [
    ["a text", "The user left", "The user left"],
    ["an error", new Error("left"), "Error: left"],
    ["a number", 0, "0"],
  ] as const
) {
  Deno.test(`cancelPendingRequests() reports ${name} as message and cause`, async () => {
    const request = api("/posts", createHeldAdapter().instance).get();
    cancelPendingRequests(reason);
    await rejects(request, (error) => {
      strictEqual(axios.isCancel(error) && error.message, message);
      strictEqual(error instanceof Error && error.cause, reason);
      return true;
    });
  });
}

Deno.test("cancelPendingRequests() leaves alone requests that a catch handler starts", async () => {
  const { instance, held } = createHeldAdapter();
  const posts = api("/posts", instance);
  const retried = posts.get<string>(1).catch(() => posts.get<string>(2));
  cancelPendingRequests();
  await settle();
  held[1]?.answer("second");
  strictEqual((await retried).data, "second");
});

Deno.test("cancelPendingRequests() leaves alone requests that an abort listener starts", async () => {
  const { instance, held } = createHeldAdapter();
  const posts = api("/posts", instance);
  const started: Promise<unknown>[] = [];
  const first = posts.get(1);
  held[0]?.config.signal?.addEventListener?.("abort", () => started.push(posts.get(2)));
  cancelPendingRequests();
  await rejects(first, axios.isCancel);
  held[1]?.answer("second");
  await Promise.all(started);
  strictEqual(started.length, 1);
});

Deno.test("cancelPendingRequests() does nothing to settled requests, or if there are none", async () => {
  const { instance, held } = createHeldAdapter();
  const [good, bad] = [api("/posts", instance).get(1), api("/posts", instance).get(2)];
  held[0]?.answer("good");
  held[1]?.fail("bad");
  await Promise.allSettled([good, bad]);
  cancelPendingRequests();
  deepStrictEqual(held.map(({ config }) => config.signal?.aborted), [false, false]);
});

Deno.test("cancelPendingRequests() reaches a request whose interceptor is still running", async () => {
  const { instance, held } = createHeldAdapter();
  instance.interceptors.request.use(async (config) => {
    await settle();
    return config;
  });
  const request = api("/posts", instance).get();
  cancelPendingRequests();
  await rejects(request, axios.isCancel);
  strictEqual(held.length, 0);
});

Deno.test("cancelPendingRequests() lets a response interceptor finish", async () => {
  const { instance, held } = createHeldAdapter();
  const renewing = Promise.withResolvers<void>();
  instance.interceptors.response.use(async (response) => {
    cancelPendingRequests();
    await renewing.promise;
    return response;
  });
  const request = api("/posts", instance).get<string>();
  held[0]?.answer("here");
  renewing.resolve();
  strictEqual((await request).data, "here");
});

Deno.test("cancelPendingRequests() leaves an interceptor's own error unchanged", async () => {
  const { instance } = createHeldAdapter();
  const own = Object.freeze(new Error("own"));
  instance.interceptors.response.use(undefined, () => Promise.reject(own));
  const request = api("/posts", instance).get();
  cancelPendingRequests("left");
  await rejects(request, /^Error: own$/);
});

Deno.test("cancelPendingRequests() sets no cause if no reason is passed", async () => {
  const request = api("/posts", createHeldAdapter().instance).get();
  cancelPendingRequests();
  await rejects(request, (error) => {
    deepStrictEqual([String(error), (error as Error).cause], [
      "CanceledError: canceled",
      undefined,
    ]);
    return true;
  });
});

Deno.test("cancelPendingRequests() reports the first of several reasons", async () => {
  const request = api("/posts", createHeldAdapter().instance).get();
  cancelPendingRequests("first");
  cancelPendingRequests("second");
  await rejects(request, /: first$/);
});

/** Starts a request, which stays pending until the test ends. */
function start(method: string): void {
  pending.add(Object.assign(new AbortController(), { method, send: start }));
}

/** Names of the requests. */
function methodsOf(requests: readonly PendingRequest[]): string[] {
  return requests.map(({ method }) => method);
}

Deno.test("collectRequests() passes requests that start before the function returns to all enclosing collections", () => {
  const found: string[][] = [];
  const collect = (requests: readonly PendingRequest[]) => found.push(methodsOf(requests));
  start("before");
  collectRequests(() => {
    start("first");
    collectRequests(() => start("second"), collect);
    start("third");
  }, collect);
  start("after");
  deepStrictEqual(found, [["second"], ["first", "second", "third"]]);
  pending.clear();
});

Deno.test("collectRequests() passes on what was started before the function threw", () => {
  const found: string[] = [];
  const fail = () => {
    start("first");
    throw new Error("thrown");
  };
  throws(
    () => collectRequests(fail, (requests) => found.push(...methodsOf(requests))),
    /^Error: thrown$/,
  );
  start("after");
  deepStrictEqual(found, ["first"]);
  pending.clear();
});

Deno.test("collectRequests() finds a request that replaces an earlier one", async () => {
  const { instance } = createHeldAdapter();
  const posts = api("/posts", instance);
  const old = posts.get(1);
  const found: PendingRequest[] = [];
  const replace = () => {
    posts.cancelPendingRequests();
    return posts.get(2);
  };
  const replaced = collectRequests(replace, (requests) => found.push(...requests));
  await rejects(old, axios.isCancel);
  deepStrictEqual(methodsOf(found), ["get"]);
  found[0]?.abort();
  await rejects(replaced, axios.isCancel);
});

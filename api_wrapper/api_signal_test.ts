import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { getEventListeners } from "node:events";
import axios from "axios";
import { api } from "./api.ts";
import { cancelPendingRequests } from "./pending_requests.ts";
import { createHeldAdapter } from "./testing/held_adapter.ts";

Deno.test("api() respects the caller's signal and reports its reason", async () => {
  const { instance, held } = createHeldAdapter();
  const controller = new AbortController();
  const [mine, other] = [
    api("/posts", instance).get(1, { signal: controller.signal }),
    api("/posts", instance).get(2),
  ];
  controller.abort("enough");
  await rejects(mine, (error) => axios.isCancel(error) && error.message === "enough");
  held[1]?.answer();
  await other;
});

Deno.test("api() sends nothing if the caller's signal has already aborted", async () => {
  const { instance, held } = createHeldAdapter();
  const request = api("/posts", instance).get(1, { signal: AbortSignal.abort("before") });
  await rejects(request, (error) => axios.isCancel(error) && error.message === "before");
  strictEqual(held.length, 0);
});

Deno.test("api() cancels a request that has the caller's signal", async () => {
  const { signal } = new AbortController();
  const request = api("/posts", createHeldAdapter().instance).get(1, { signal });
  cancelPendingRequests();
  await rejects(request, axios.isCancel);
  strictEqual(signal.aborted, false);
});

Deno.test("api() respects the instance's signal unless the caller passes one", async () => {
  const { instance, held } = createHeldAdapter();
  const controller = new AbortController();
  instance.defaults.signal = controller.signal;
  const posts = api("/posts", instance);
  const [first, second] = [posts.get(1), posts.get(2, { signal: new AbortController().signal })];
  controller.abort();
  await rejects(first, axios.isCancel);
  held[1]?.answer();
  await second;
});

Deno.test("api() creates a signal for each request", async () => {
  const { instance, held } = createHeldAdapter();
  const posts = api("/posts", instance);
  const requests = [posts.get(1), posts.get(2)];
  strictEqual(new Set(held.map(({ config }) => config.signal)).size, 2);
  for (const { answer } of held) answer();
  await Promise.all(requests);
});

for (const outcome of ["answers", "fails", "is cancelled"] as const) {
  Deno.test(`api() leaves no listener on a long-lived signal when a request ${outcome}`, async () => {
    const { instance, held } = createHeldAdapter();
    const { signal } = new AbortController();
    const posts = api("/posts", instance);
    const requests = Array.from({ length: 50 }, (_, id) => posts.get(id, { signal }));
    strictEqual(getEventListeners(signal, "abort").length, 50);
    for (const { answer, fail } of held) {
      if (outcome === "answers") answer();
      if (outcome === "fails") fail("broken");
    }
    if (outcome === "is cancelled") cancelPendingRequests();
    await Promise.allSettled(requests);
    deepStrictEqual(getEventListeners(signal, "abort"), []);
  });
}

Deno.test("api() respects a cancel token, and leaves its error unchanged for others who share it", async () => {
  const { instance } = createHeldAdapter();
  instance.defaults.adapter = "fetch";
  const source = axios.CancelToken.source();
  const posts = api("http://127.0.0.1:9", instance);
  const requests = [1, 2].map((id) => posts.get(id, { cancelToken: source.token }));
  source.cancel("by token");
  for (const request of requests) {
    await rejects(request, (error) => axios.isCancel(error) && error.message === "by token");
  }
});

Deno.test("api() cancels a request that has a cancel token", async () => {
  const { token } = axios.CancelToken.source();
  const request = api("/posts", createHeldAdapter().instance).get(1, { cancelToken: token });
  cancelPendingRequests("left");
  await rejects(request, (error) => axios.isCancel(error) && error.message === "left");
  strictEqual(token.reason, undefined);
});

Deno.test("api() passes on the client's own error for a time-out", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(new Response()))),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  await rejects(api(url, axios.create()).get(1, { timeout: 20 }), (error) => {
    deepStrictEqual([axios.isCancel(error), axios.isAxiosError(error)], [false, true]);
    return true;
  });
});

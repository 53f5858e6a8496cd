import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import axios, { type AxiosRequestConfig } from "axios";
import { effectScope } from "vue";
import { api } from "./api.ts";
import { useApi, useProgress } from "./options.ts";
import { cancelPendingRequests } from "./pending_requests.ts";
import { createHeldAdapter, settle } from "./testing/held_adapter.ts";

function setUp() {
  const { instance, held } = createHeldAdapter();
  const told: unknown[] = [];
  const onSuccess = (data: unknown, args: readonly unknown[]) => void told.push([data, ...args]);
  const onError = (error: Error, args: readonly unknown[]) => void told.push([error, ...args]);
  return { held, posts: api("/posts", instance), told, onSuccess, onError };
}

Deno.test("useApi() with options has initialData until a call succeeds", async () => {
  const { held, posts } = setUp();
  const { data } = useApi(() => posts.get<string[]>(), { initialData: [] });
  deepStrictEqual(data.value, []);
  held[0]?.answer(["one"]);
  await settle();
  deepStrictEqual(data.value, ["one"]);
  strictEqual(useApi(() => posts.get(), { immediate: false }).data.value, undefined);
});

Deno.test("useApi() with options waits for call() if immediate is false", async () => {
  const { held, posts } = setUp();
  const { call, loading } = useApi((id: number) => posts.get<string>(id), { immediate: false });
  deepStrictEqual([held.length, loading.value], [0, false]);
  const called = call(7);
  held[0]?.answer("seven");
  strictEqual((await called).data, "seven");
});

Deno.test("onSuccess gets data and arguments of the latest call, with the state written", async () => {
  const { held, posts, told, onError } = setUp();
  const used = useApi((id: number) => posts.get<string>(id), {
    immediate: false,
    onSuccess: (data, [id]) => void told.push([data, id, used.data.value, used.loading.value]),
    onError,
  });
  const calls = [used.call(1), used.call(2)];
  held[1]?.answer("two");
  await settle();
  held[0]?.answer("one");
  await Promise.all(calls);
  deepStrictEqual(told, [["two", 2, "two", false]]);
});

Deno.test("onError gets error and arguments of the latest call, also of the immediate one", async () => {
  const { held, posts, told, onSuccess, onError } = setUp();
  const { error, call } = useApi((id?: number) => posts.get(id), { onSuccess, onError });
  held[0]?.fail("broken");
  await settle();
  deepStrictEqual(told.splice(0), [[error.value]]);
  const overtaken = call(1);
  const latest = call(2);
  held[1]?.fail("late");
  held[2]?.fail("broken again");
  await rejects(overtaken);
  await rejects(latest);
  deepStrictEqual(told, [[error.value, 2]]);
});

Deno.test("a cancellation, an abort and the end of the scope call neither callback", async () => {
  const { held, posts, told, onSuccess, onError } = setUp();
  const scope = effectScope();
  const options = { immediate: false, onSuccess, onError } as const;
  const used = scope.run(() => useApi(() => posts.post(), options));
  const cancelled = used?.call();
  cancelPendingRequests();
  await rejects(cancelled ?? settle(), axios.isCancel);
  const aborted = used?.call();
  used?.abort();
  await rejects(aborted ?? settle(), axios.isCancel);
  const ended = used?.call();
  scope.stop();
  held[2]?.answer("saved");
  strictEqual((await ended)?.data, "saved");
  deepStrictEqual(told, []);
});

Deno.test("what onSuccess throws leaves call() as it is, and is an unhandled rejection", async () => {
  const { held, posts } = setUp();
  const unhandled = Promise.withResolvers<unknown>();
  const listener = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    unhandled.resolve(event.reason);
  };
  addEventListener("unhandledrejection", listener, { once: true });
  const bug = new Error("a bug of the page");
  const fail = () => {
    throw bug;
  };
  const { call, error } = useApi(() => posts.get<string>(), { immediate: false, onSuccess: fail });
  const called = call();
  held[0]?.answer("one");
  strictEqual((await called).data, "one");
  strictEqual(await unhandled.promise, bug);
  strictEqual(error.value, undefined);
});

Deno.test('with latest "abort" a call aborts those that it overtakes, and no others', async () => {
  const { held, posts } = setUp();
  const other = posts.get("other");
  const { call, data, error, loading } = useApi((id: number) => posts.post<string>({ id }), {
    immediate: false,
    latest: "abort",
  });
  const overtaken = call(1);
  const latest = call(2);
  await rejects(overtaken, axios.isCancel);
  deepStrictEqual([held[1], held[2], held[0]].map((sent) => sent?.config.signal?.aborted), [
    true,
    false,
    false,
  ]);
  strictEqual(loading.value, true);
  held[2]?.answer("two");
  await latest;
  deepStrictEqual([data.value, error.value, loading.value], ["two", undefined, false]);
  held[0]?.answer("other");
  await other;
});

Deno.test("without latest an overtaken request continues", async () => {
  const { held, posts } = setUp();
  const { call } = useApi((id: number) => posts.get<string>(id), { immediate: false });
  const calls = [call(1), call(2)];
  strictEqual(held[0]?.config.signal?.aborted, false);
  for (const sent of held) sent.answer(sent.config.url);
  deepStrictEqual((await Promise.all(calls)).map(({ data }) => data), ["/posts/1", "/posts/2"]);
});

Deno.test("track() reports the request that was tracked last, and the config's own callbacks", () => {
  const told: unknown[] = [];
  const own: AxiosRequestConfig = {
    params: { page: 2 },
    onUploadProgress: ({ loaded }) => void told.push(loaded),
  };
  const { progress, track } = useProgress();
  const event = { loaded: 5, total: 20, progress: 0.25, bytes: 5, lengthComputable: true };
  const first = track(own);
  deepStrictEqual(first.params, { page: 2 });
  strictEqual(progress.value, undefined);
  first.onUploadProgress?.(event);
  deepStrictEqual(progress.value, { loaded: 5, total: 20, ratio: 0.25 });
  const second = track();
  strictEqual(progress.value, undefined);
  first.onUploadProgress?.(event);
  first.onDownloadProgress?.(event);
  strictEqual(progress.value, undefined);
  second.onDownloadProgress?.({ loaded: 7, bytes: 7, lengthComputable: false });
  deepStrictEqual(progress.value, { loaded: 7, total: undefined, ratio: undefined });
  deepStrictEqual(told, [5, 5]);
});

Deno.test("the progress of a real upload ends at all its bytes", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => Response.json((await request.bytes()).length),
  );
  const baseURL = `http://127.0.0.1:${server.addr.port}`;
  const files = api("/files", axios.create({ baseURL, adapter: "http" }));
  const { progress, track } = useProgress();
  const seen: number[] = [];
  const onUploadProgress = () => void seen.push(progress.value?.loaded ?? -1);
  const body = new Uint8Array(300_000);
  const { data } = await files.post<number>(body, track({ onUploadProgress }));
  deepStrictEqual([data, seen.at(-1)], [300_000, 300_000]);
});

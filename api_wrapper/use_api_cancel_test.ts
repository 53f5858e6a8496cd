import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import axios from "axios";
import { api } from "./api.ts";
import { cancelPendingRequests } from "./pending_requests.ts";
import { createHeldAdapter, settle } from "./testing/held_adapter.ts";
import { useApi } from "./use_api.ts";

function setUp() {
  const { instance, held } = createHeldAdapter();
  return { held, posts: api("/posts", instance) };
}

Deno.test("useApi() abort() before call() ends only the overtaken request", async () => {
  const { held, posts } = setUp();
  const { loading, data, call, abort } = useApi((id: number) => posts.get<string>(id), false);
  const first = call(1);
  abort();
  const second = call(2);
  await rejects(first, axios.isCancel);
  strictEqual(loading.value, true);
  held[1]?.answer("two");
  await second;
  deepStrictEqual([loading.value, data.value], [false, "two"]);
});

Deno.test("useApi() treats AbortSignal.timeout() as a cancellation, as axios does", async () => {
  const { posts } = setUp();
  const { loading, error, call } = useApi(
    () => posts.get(1, { signal: AbortSignal.timeout(1) }),
    false,
  );
  await rejects(call(), axios.isCancel);
  deepStrictEqual([loading.value, error.value], [false, undefined]);
});

Deno.test("useApi() abort() cancels pending requests, ends loading and sets no error", async () => {
  const { held, posts } = setUp();
  const { loading, data, error, call, abort } = useApi((id: number) => posts.put(id, {}), false);
  const called = [call(1), call(2)];
  abort("enough");
  strictEqual(loading.value, false);
  for (const each of called) {
    await rejects(each, (reason) => axios.isCancel(reason) && reason.message === "enough");
  }
  deepStrictEqual([loading.value, data.value, error.value], [false, undefined, undefined]);
  deepStrictEqual(held.map(({ config }) => config.signal?.aborted), [true, true]);
});

Deno.test("useApi() abort() leaves other requests alone", async () => {
  const { held, posts } = setUp();
  const { call, abort } = useApi(() => posts.get(), false);
  const [mine, other] = [call(), posts.get<string>()];
  abort();
  await rejects(mine, axios.isCancel);
  held[1]?.answer("other");
  strictEqual((await other).data, "other");
});

Deno.test("useApi() abort() does nothing before a call, after one, and twice", async () => {
  const { held, posts } = setUp();
  const { loading, data, error, call, abort } = useApi(() => posts.get<string>(), false);
  abort();
  const called = call();
  held[0]?.answer("one");
  await called;
  abort();
  abort();
  deepStrictEqual([loading.value, data.value, error.value], [false, "one", undefined]);
  const again = call();
  held[1]?.answer("two");
  await again;
  deepStrictEqual([loading.value, data.value], [false, "two"]);
});

Deno.test("useApi() abort() drops an answer that has already arrived", async () => {
  const { held, posts } = setUp();
  const { data, call, abort } = useApi(() => posts.get<string>(), false);
  const called = call();
  held[0]?.answer("late");
  abort();
  await called.catch(() => {});
  strictEqual(data.value, undefined);
});

for (
  const [way, cancel] of [
    ["cancelPendingRequests()", () => cancelPendingRequests()],
    ["the module", (posts) => posts.cancelPendingRequests()],
    ["the caller's signal", (_, own) => own.abort()],
    ["a cancel token", (_, __, source) => source.cancel()],
  ] satisfies [
    string,
    (posts: ReturnType<typeof api>, own: AbortController, source: { cancel: () => void }) => void,
  ][]
) {
  Deno.test(`useApi() does not report a cancellation by ${way} as an error`, async () => {
    const own = new AbortController();
    const source = axios.CancelToken.source();
    const { instance, held } = createHeldAdapter();
    const posts = api("/posts", instance);
    const config = { signal: own.signal, cancelToken: source.token };
    const { loading, data, error, call } = useApi(() => posts.get<string>(1, config), false);
    data.value = "before";
    const called = call();
    cancel(posts, own, source);
    held[0]?.answer("late");
    await rejects(called, axios.isCancel);
    deepStrictEqual([loading.value, data.value, error.value], [false, "before", undefined]);
  });
}

Deno.test("useApi() does not report a cancellation that an interceptor has wrapped as an error", async () => {
  const { instance } = createHeldAdapter();
  instance.interceptors.response.use(
    undefined,
    (cause) => Promise.reject(new Error("own", { cause })),
  );
  const { error, call } = useApi(() => api("/posts", instance).get(), false);
  const called = call();
  cancelPendingRequests();
  await rejects(called, /^Error: own$/);
  strictEqual(error.value, undefined);
});

Deno.test("useApi() abort() reaches every request that an API function starts", async () => {
  const { held, posts } = setUp();
  const both = async () => {
    const [one, two] = await Promise.all([posts.get<string>(1), posts.get<string>(2)]);
    return { data: [one.data, two.data] };
  };
  const { data, call, abort } = useApi(both, false);
  const first = call();
  abort();
  await rejects(first, axios.isCancel);
  deepStrictEqual(held.map(({ config }) => config.signal?.aborted), [true, true]);
  const second = call();
  held[2]?.answer("one");
  held[3]?.answer("two");
  await second;
  deepStrictEqual(data.value, ["one", "two"]);
});

Deno.test("useApi() abort() does not reach a request that is started after an await", async () => {
  const { held, posts } = setUp();
  const late = async () => {
    await settle();
    return await posts.get<string>();
  };
  const { loading, data, call, abort } = useApi(late, false);
  const called = call();
  await settle();
  await settle();
  abort();
  deepStrictEqual([loading.value, held[0]?.config.signal?.aborted], [false, false]);
  held[0]?.answer("late");
  strictEqual((await called).data, "late");
  strictEqual(data.value, undefined);
});

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import axios from "axios";
import { isRef, watch } from "vue";
import { api } from "./api.ts";
import { cancelPendingRequests } from "./pending_requests.ts";
import { createGate, settle } from "./testing/gate.ts";
import { useApi } from "./use_api.ts";

function setUp() {
  const { instance, held } = createGate();
  return { held, posts: api("/posts", instance) };
}

Deno.test("useApi() calls at once and keeps the data", async () => {
  const { held, posts } = setUp();
  const { loading, data, error } = useApi(() => posts.get<string>());
  deepStrictEqual([loading.value, data.value, error.value], [true, undefined, undefined]);
  held[0]?.answer("one");
  await settle();
  deepStrictEqual([loading.value, data.value, error.value], [false, "one", undefined]);
});

Deno.test("useApi() waits for call() where immediate is false", async () => {
  const { held, posts } = setUp();
  const { loading, data, call } = useApi((id: number) => posts.get<string>(id), false);
  deepStrictEqual([loading.value, held.length], [false, 0]);
  const called = call(7);
  strictEqual(loading.value, true);
  strictEqual(held[0]?.config.url, "/posts/7");
  held[0]?.answer("seven");
  strictEqual((await called).data, "seven");
  deepStrictEqual([loading.value, data.value], [false, "seven"]);
});

for (const value of [0, false, "", null, undefined, [], { a: 1 }]) {
  Deno.test(`useApi() keeps ${JSON.stringify(value)} as data, as it came`, async () => {
    const { data, call } = useApi(() => Promise.resolve({ data: value }), false);
    data.value = "before";
    await call();
    strictEqual(data.value, value);
  });
}

Deno.test("useApi() keeps a failure of the immediate call in error, and rejects nowhere", async () => {
  const { held, posts } = setUp();
  const { loading, data, error } = useApi(() => posts.get());
  held[0]?.fail("broken");
  await settle();
  deepStrictEqual([loading.value, data.value, error.value?.message], [false, undefined, "broken"]);
});

Deno.test("useApi() call() rejects with what it keeps in error", async () => {
  const { held, posts } = setUp();
  const { error, call } = useApi(() => posts.get(), false);
  const called = call();
  held[0]?.fail("broken");
  await rejects(called, (reason) => reason === error.value && axios.isAxiosError(reason));
});

Deno.test("useApi() keeps data while it reloads and when that fails; error goes at the start", async () => {
  const { held, posts } = setUp();
  const { loading, data, error, call } = useApi(() => posts.get<string>());
  held[0]?.answer("one");
  await settle();
  const failing = call();
  deepStrictEqual([loading.value, data.value], [true, "one"]);
  held[1]?.fail("broken");
  await rejects(failing);
  deepStrictEqual([data.value, error.value?.message], ["one", "broken"]);
  const reload = call();
  deepStrictEqual([data.value, error.value], ["one", undefined]);
  held[2]?.answer("two");
  await reload;
  deepStrictEqual([data.value, error.value], ["two", undefined]);
});

Deno.test("useApi() keeps the latest call's data; an overtaken call resolves for its caller", async () => {
  const { held, posts } = setUp();
  const { loading, data, call } = useApi((id: number) => posts.get<string>(id), false);
  const [old, latest] = [call(1), call(2)];
  held[1]?.answer("new");
  await latest;
  deepStrictEqual([loading.value, data.value], [false, "new"]);
  held[0]?.answer("old");
  strictEqual((await old).data, "old");
  deepStrictEqual([loading.value, data.value], [false, "new"]);
});

Deno.test("useApi() is loading until the latest call settles", async () => {
  const { held, posts } = setUp();
  const { loading, data, call } = useApi((id: number) => posts.get<string>(id), false);
  const [old, latest] = [call(1), call(2)];
  held[0]?.answer("old");
  await old;
  deepStrictEqual([loading.value, data.value], [true, undefined]);
  held[1]?.answer("new");
  await latest;
  deepStrictEqual([loading.value, data.value], [false, "new"]);
});

Deno.test("useApi() keeps no failure of an overtaken call, which rejects for its caller", async () => {
  const { held, posts } = setUp();
  const { data, error, call } = useApi((id: number) => posts.get<string>(id), false);
  const [old, latest] = [call(1), call(2)];
  held[0]?.fail("old");
  await rejects(old, /old/);
  strictEqual(error.value, undefined);
  held[1]?.answer("new");
  await latest;
  deepStrictEqual([data.value, error.value], ["new", undefined]);
});

Deno.test("useApi() abort() cancels what is pending, ends loading and fills no error", async () => {
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

Deno.test("useApi() abort() leaves requests of others alone", async () => {
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

Deno.test("useApi() abort() keeps an answer out that has already come in", async () => {
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
  Deno.test(`useApi() takes a cancellation by ${way} for no error`, async () => {
    const own = new AbortController();
    const source = axios.CancelToken.source();
    const { instance, held } = createGate();
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

Deno.test("useApi() takes a cancellation for no error where an interceptor has wrapped it", async () => {
  const { instance } = createGate();
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

Deno.test("useApi() takes what an API function throws at once for a failure", async () => {
  const thrown = new Error("thrown");
  const fail = (): Promise<{ data: string }> => {
    throw thrown;
  };
  const { loading, error } = useApi(fail);
  await settle();
  deepStrictEqual([loading.value, error.value], [false, thrown]);
  const { call } = useApi(fail, false);
  await rejects(call(), thrown);
});

Deno.test("useApi() keeps anything that is thrown, and tells an error where nothing was", async () => {
  for (const reason of ["text", { code: 7 }, 0]) {
    const { error } = useApi(() => Promise.reject(reason));
    await settle();
    strictEqual(error.value, reason);
  }
  const { error } = useApi(() => Promise.reject());
  await settle();
  strictEqual(error.value instanceof Error, true);
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

Deno.test("useApi() abort() reaches no request that is started after an await", async () => {
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

Deno.test("useApi() within useApi(): both find the request, and each keeps its own state", async () => {
  const { held, posts } = setUp();
  const inner = useApi((id: number) => posts.get<string>(id), false);
  const outer = useApi(() => inner.call(7), false);
  const answered = outer.call();
  held[0]?.answer("seven");
  await answered;
  deepStrictEqual([inner.data.value, outer.data.value], ["seven", "seven"]);
  const aborted = outer.call();
  outer.abort();
  await rejects(aborted, axios.isCancel);
  deepStrictEqual([inner.loading.value, inner.error.value], [false, undefined]);
});

Deno.test("useApi() collects nothing that is started outside of its call", async () => {
  const { held, posts } = setUp();
  const { call, abort } = useApi(() => posts.get(1), false);
  const [mine, other] = [call(), posts.get<string>(2)];
  abort();
  await rejects(mine);
  held[1]?.answer("other");
  strictEqual((await other).data, "other");
});

Deno.test("useApi() shows data and loading in one step, and is reactive", async () => {
  const { held, posts } = setUp();
  const { loading, data, error } = useApi(() => posts.get<string>());
  strictEqual([loading, data, error].every(isRef), true);
  const steps: unknown[] = [];
  watch([loading, data], (values) => steps.push([...values]));
  held[0]?.answer("one");
  await settle();
  deepStrictEqual(steps, [[false, "one"]]);
});

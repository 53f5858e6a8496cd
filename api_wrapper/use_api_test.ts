import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import axios from "axios";
import { isRef, watch } from "vue";
import { api } from "./api.ts";
import { createHeldAdapter, settle } from "./testing/held_adapter.ts";
import { useApi } from "./use_api.ts";

function setUp() {
  const { instance, held } = createHeldAdapter();
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

Deno.test("useApi() waits for call() if immediate is false", async () => {
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
  Deno.test(`useApi() keeps ${JSON.stringify(value)} as data, unchanged`, async () => {
    const { data, call } = useApi(() => Promise.resolve({ data: value }), false);
    data.value = "before";
    await call();
    strictEqual(data.value, value);
  });
}

Deno.test("useApi() keeps a failure of the immediate call in error, without an unhandled rejection", async () => {
  const { held, posts } = setUp();
  const { loading, data, error } = useApi(() => posts.get());
  held[0]?.fail("broken");
  await settle();
  deepStrictEqual([loading.value, data.value, error.value?.message], [false, undefined, "broken"]);
});

Deno.test("useApi() call() rejects with the value that it keeps in error", async () => {
  const { held, posts } = setUp();
  const { error, call } = useApi(() => posts.get(), false);
  const called = call();
  held[0]?.fail("broken");
  await rejects(called, (reason) => reason === error.value && axios.isAxiosError(reason));
});

Deno.test("useApi() keeps data during a reload and if it fails, and clears error at the start", async () => {
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

Deno.test("useApi() ignores the failure of an overtaken call, which rejects for its caller", async () => {
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

Deno.test("useApi() treats a synchronous throw of an API function as a failure", async () => {
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

Deno.test("useApi() keeps anything that is thrown, and creates an error if nothing was thrown", async () => {
  for (const reason of ["text", { code: 7 }, 0]) {
    const { error } = useApi(() => Promise.reject(reason));
    await settle();
    strictEqual(error.value, reason);
  }
  const { error } = useApi(() => Promise.reject());
  await settle();
  strictEqual(error.value instanceof Error, true);
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

Deno.test("useApi() collects no request that is started outside of its call", async () => {
  const { held, posts } = setUp();
  const { call, abort } = useApi(() => posts.get(1), false);
  const [mine, other] = [call(), posts.get<string>(2)];
  abort();
  await rejects(mine);
  held[1]?.answer("other");
  strictEqual((await other).data, "other");
});

Deno.test("useApi() updates data and loading in one step, and is reactive", async () => {
  const { held, posts } = setUp();
  const { loading, data, error } = useApi(() => posts.get<string>());
  strictEqual([loading, data, error].every(isRef), true);
  const steps: unknown[] = [];
  watch([loading, data], (values) => steps.push([...values]));
  held[0]?.answer("one");
  await settle();
  deepStrictEqual(steps, [[false, "one"]]);
});

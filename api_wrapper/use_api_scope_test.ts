import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import axios from "axios";
import { type EffectScope, effectScope, watchSyncEffect } from "vue";
import { api } from "./api.ts";
import { createHeldAdapter, settle } from "./testing/held_adapter.ts";
import { useApi, type UseApiReturn } from "./use_api.ts";

/** Records every state written from now on, starting with the current one. */
function record<Args extends readonly unknown[], Result extends { readonly data: unknown }>(
  { loading, data, error }: UseApiReturn<Args, Result>,
): unknown[][] {
  const states: unknown[][] = [];
  effectScope(true).run(() =>
    watchSyncEffect(() => void states.push([loading.value, data.value, error.value]))
  );
  return states;
}

/** Runs a function in a scope that has not ended. */
function within<Result>(scope: EffectScope, fn: () => Result): Result {
  const results: Result[] = [];
  scope.run(() => results.push(fn()));
  const [result] = results;
  if (result === undefined) throw new Error("Cannot run the function: its scope has ended");
  return result;
}

function setUp() {
  const { instance, held } = createHeldAdapter();
  return { held, posts: api("/posts", instance), scope: effectScope() };
}

Deno.test("useApi() cancels its pending GET when the scope ends, and writes nothing more", async () => {
  const { held, posts, scope } = setUp();
  const used = within(scope, () => useApi(() => posts.get<string>(), false));
  const called = used.call();
  const states = record(used);
  scope.stop();
  await rejects(called, axios.isCancel);
  strictEqual(held[0]?.config.signal?.aborted, true);
  deepStrictEqual(states, [[true, undefined, undefined]]);
});

Deno.test("useApi() cancels the GET of an immediate call too, without an unhandled rejection", async () => {
  const { held, posts, scope } = setUp();
  scope.run(() => useApi(() => posts.get()));
  scope.stop();
  await settle();
  strictEqual(held[0]?.config.signal?.aborted, true);
});

for (const method of ["post", "put", "patch", "delete"] as const) {
  Deno.test(`useApi() lets a ${method} finish when the scope ends, and writes nothing more`, async () => {
    const { held, posts, scope } = setUp();
    const used = within(scope, () => useApi(() => posts[method]<string>(7, {}), false));
    const called = used.call();
    const states = record(used);
    scope.stop();
    strictEqual(held[0]?.config.signal?.aborted, false);
    held[0]?.answer("done");
    strictEqual((await called).data, "done");
    deepStrictEqual(states, [[true, undefined, undefined]]);
  });
}

Deno.test("useApi() writes no failure once the scope has ended", async () => {
  const { held, posts, scope } = setUp();
  const used = within(scope, () => useApi(() => posts.post(), false));
  const called = used.call();
  scope.stop();
  held[0]?.fail("broken");
  await rejects(called, /broken/);
  strictEqual(used.error.value, undefined);
});

Deno.test("useApi() cancels the GETs of overtaken calls too when the scope ends", async () => {
  const { held, posts, scope } = setUp();
  scope.run(() => {
    const { call } = useApi((id: number) => posts.get(id), false);
    for (const id of [1, 2, 3]) call(id).catch(() => {});
  });
  scope.stop();
  await settle();
  deepStrictEqual(held.map(({ config }) => config.signal?.aborted), [true, true, true]);
});

Deno.test("useApi() call() after the scope's end runs for its caller, and writes nothing", async () => {
  const { held, posts, scope } = setUp();
  const used = within(scope, () => useApi(() => posts.get<string>(), false));
  scope.stop();
  const states = record(used);
  const called = used.call();
  held[0]?.answer("late");
  strictEqual((await called).data, "late");
  deepStrictEqual(states, [[false, undefined, undefined]]);
});

Deno.test("useApi() abort() after the scope's end still cancels, and writes nothing", async () => {
  const { held, posts, scope } = setUp();
  const used = within(scope, () => useApi(() => posts.post(), false));
  const called = used.call();
  scope.stop();
  const states = record(used);
  used.abort();
  await rejects(called, axios.isCancel);
  strictEqual(held[0]?.config.signal?.aborted, true);
  strictEqual(states.length, 1);
});

Deno.test("useApi() leaves requests of other scopes alone", async () => {
  const { held, posts, scope } = setUp();
  scope.run(() => useApi(() => posts.get(1)));
  const other = effectScope().run(() => useApi(() => posts.get<string>(2)));
  scope.stop();
  held[1]?.answer("other");
  await settle();
  strictEqual(other?.data.value, "other");
});

Deno.test("useApi() works outside of a scope, without a warning", async () => {
  const { held, posts } = setUp();
  const warn = console.warn;
  const warnings: unknown[] = [];
  console.warn = (...texts: unknown[]) => warnings.push(texts);
  try {
    const { data } = useApi(() => posts.get<string>());
    held[0]?.answer("one");
    await settle();
    strictEqual(data.value, "one");
  } finally {
    console.warn = warn;
  }
  deepStrictEqual(warnings, []);
});

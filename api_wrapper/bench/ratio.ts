import { inTurns } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { effectScope } from "vue";
import { api, useApi } from "../mod.ts";
import { createStubInstance } from "./stub_instance.ts";

const REQUESTS = 2_000;
const ROUNDS = 25;

/** Compares requests through a module, and through a composable, with the bare instance. */
export async function benchRatio(): Promise<Row[]> {
  const instance = createStubInstance();
  const posts = api("/posts", instance);
  const { signal } = new AbortController();
  const composable = effectScope().run(() => useApi((id: number) => posts.get(id), false));
  const [bare = NaN, module = NaN, signalled = NaN, used = NaN] = await inTurns([
    many((id) => instance.get(`/posts/${id}`)),
    many((id) => posts.get(id)),
    many((id) => posts.get(id, { signal })),
    many((id) => composable?.call(id)),
  ], ROUNDS);
  return [
    row("bare axios instance, stub adapter", bare),
    row("`api().get()` / bare", module, "at most 1.3"),
    row("`api().get()` with a signal of the caller's / bare", signalled),
    row("`useApi().call()` / bare", used),
  ];

  function row(what: string, time: number, target?: string): Row {
    const value = `${(time / REQUESTS * 1_000).toFixed(1)} µs`;
    return { what, value, ...time !== bare && { ratio: time / bare }, target };
  }
}

function many(request: (id: number) => PromiseLike<unknown> | undefined): () => Promise<void> {
  return async () => {
    for (let id = 0; id < REQUESTS; id++) await request(id);
  };
}

import { api } from "../core.ts";
import { createStubInstance } from "./stub_instance.ts";

/** Run with `--v8-flags=--expose-gc`: prints the heap before and after 100,000 requests. */
declare const gc: () => void;

const WARM_UP = 10_000;
const REQUESTS = 100_000;

const posts = api("/posts", createStubInstance());
const { signal } = new AbortController();
await send(WARM_UP);
const before = heap();
await send(REQUESTS);
console.log(JSON.stringify({ before, after: heap() }));

async function send(count: number): Promise<void> {
  for (let id = 0; id < count; id++) await posts.get(id, { signal });
}

function heap(): number {
  gc();
  gc();
  return Deno.memoryUsage().heapUsed;
}

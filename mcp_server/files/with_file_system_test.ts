import { rejects, strictEqual } from "node:assert/strict";
import { FileThread } from "./file_system.ts";
import { FileWorkers } from "./with_file_system.ts";

const FILE = { action: "read", path: "/etc/hostname" } as const;
const { signal } = new AbortController();

Deno.test("FileWorkers rejects a call for which no worker can be started, and serves others", async () => {
  let started = 0;
  const workers = new FileWorkers(() => {
    if (started++ > 0) throw new Error("Cannot fork: there are too many processes");
    return new FileThread();
  }, 1);
  const first = await workers.acquire(FILE, signal);
  await rejects(workers.acquire(FILE, signal), /Cannot fork/);
  const next = workers.acquire(FILE, signal);
  workers.release(first);
  // An idle thread does not keep the program alive.
  strictEqual(await next, first);
});

Deno.test("FileWorkers starts no worker because its own thread was paused", async () => {
  let started = 0;
  const workers = new FileWorkers(() => {
    started++;
    return new FileThread();
  }, 1);
  const first = await workers.acquire(FILE, signal);
  const next = workers.acquire(FILE, signal);
  // Due after a call has waited long enough for another worker, and before it may look again.
  setTimeout(() => workers.release(first), 150);
  for (const pausedUntil = performance.now() + 400; performance.now() < pausedUntil;);
  strictEqual(await next, first);
  strictEqual(started, 1);
  workers.release(first);
  strictEqual(await workers.acquire(FILE, signal), first);
});

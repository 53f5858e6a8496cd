import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { BusyError, ToolError } from "../shared/error.ts";
import { createHangingMount, type HangingMount } from "../testing/hanging_mount.ts";
import { needsRoot } from "../testing/needs_root.ts";
import { readFilePart } from "../toolkit/files/read_file.ts";
import { type WriteOptions, writeWholeFile } from "../toolkit/files/write_whole_file.ts";

const MIB = 1024 * 1024;
/** Longer than any pause of a busy machine, shorter than the hang of a test. */
const MOST_LAG_MS = 4_000;
const HANG_MS = 5_000;
const never = new AbortController().signal;

async function read(path: string, options: { signal?: AbortSignal; timeoutMs?: number } = {}) {
  const { signal = never, timeoutMs } = options;
  const part = await readFilePart(path, { maxBytes: 16 * MIB, signal, timeoutMs });
  return new TextDecoder().decode(part.bytes);
}

function write(
  path: string,
  content: string,
  options: Partial<WriteOptions> = {},
): Promise<string> {
  const bytes = new TextEncoder().encode(content);
  return writeWholeFile(path, bytes, { umask: 0o022, signal: never, ...options });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Measures the longest time that timers had to wait. */
function watchLag(): { worst(): number } & Disposable {
  let [last, worst] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
  }, 10);
  return { worst: () => worst, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Waits until a folder has exactly these names. */
async function untilNames(folder: string, names: readonly string[]): Promise<void> {
  const latest = performance.now() + 30_000;
  const now = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  while (now().join() !== names.join() && performance.now() < latest) await sleep(20);
  deepStrictEqual(now(), names);
}

/** Tries again while all operations hang: a file system that goes on has to end one of them first. */
async function onceFree<T>(attempt: () => Promise<T>): Promise<T> {
  for (const latest = performance.now() + 30_000;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof BusyError) || performance.now() > latest) throw error;
    }
  }
}

/** Repeats an attempt until it is refused. */
async function onceRefused(attempt: () => Promise<unknown>): Promise<BusyError> {
  for (const latest = performance.now() + 30_000; performance.now() < latest;) {
    try {
      await attempt();
    } catch (error) {
      if (error instanceof BusyError) return error;
      throw error;
    }
  }
  throw new Error("Cannot see a refusal");
}

const isLate = (error: unknown) => error instanceof ToolError && error.code === "FILE_TIMED_OUT";

function hangingTest(name: string, fn: (mount: HangingMount) => Promise<void>): void {
  const [named, { ignore }] = needsRoot(name);
  const required = requires("sshfs", named);
  Deno.test({
    ...required,
    ignore: ignore || required.ignore,
    async fn() {
      await using mount = await createHangingMount();
      await fn(mount);
    },
  });
}

hangingTest("a read that hangs blocks nothing else, and ends when it is stopped", async (mount) => {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${mount.source}/file`, "far");
  strictEqual(await read(`${mount.path}/file`), "far");
  using lag = watchLag();
  mount.hang();
  const hangsAt = performance.now();
  const cancel = new AbortController();
  const reason = new Error("stopped");
  const cancelled = rejects(read(`${mount.path}/file`, { signal: cancel.signal }), reason);
  const late = rejects(read(`${mount.path}/file`, { timeoutMs: 500 }), isLate);
  while (performance.now() - hangsAt < HANG_MS) {
    await write(`${folder.path}/near`, "near");
    strictEqual(await read(`${folder.path}/near`), "near");
    await sleep(50);
  }
  await late;
  const stoppedAt = performance.now();
  cancel.abort(reason);
  await cancelled;
  ok(performance.now() - stoppedAt < MOST_LAG_MS);
  ok(lag.worst() < MOST_LAG_MS, `the event loop was blocked for ${lag.worst()} ms`);
  mount.resume();
  strictEqual(await read(`${mount.path}/file`), "far");
});

hangingTest("a write that hangs blocks nothing else and leaves the old content", async (mount) => {
  await using folder = await createTempFolder();
  const [source, path] = [`${mount.source}/file`, `${mount.path}/file`];
  await write(path, "old");
  using lag = watchLag();
  const writing = write(path, "n".repeat(64 * MIB), { timeoutMs: HANG_MS });
  const rejected = rejects(writing, (error: Error) => {
    match(
      error.message,
      /^Cannot write ".+": its file system did not finish within 5000 ms; read /,
    );
    return isLate(error);
  });
  await untilTemporary(mount.source);
  mount.hang();
  const hangsAt = performance.now();
  while (performance.now() - hangsAt < HANG_MS - 500) {
    await write(`${folder.path}/near`, "near");
    await sleep(50);
  }
  await rejected;
  ok(lag.worst() < MOST_LAG_MS, `the event loop was blocked for ${lag.worst()} ms`);
  strictEqual(await Deno.readTextFile(source), "old");
  mount.resume();
  await untilNames(mount.source, ["file"]);
  strictEqual(await Deno.readTextFile(source), "old");
  await write(path, "new");
  strictEqual(await Deno.readTextFile(source), "new");
});

async function untilTemporary(folder: string): Promise<void> {
  const latest = performance.now() + 30_000;
  for (;;) {
    const temporary = [...Deno.readDirSync(folder)].find(({ name }) => name.startsWith(".write-"));
    if (temporary !== undefined && Deno.statSync(`${folder}/${temporary.name}`).size > 0) return;
    ok(performance.now() < latest, "nothing is written");
    await sleep(1);
  }
}

hangingTest(
  "operations that hang are bounded: further ones are rejected with a message",
  async (mount) => {
    await using folder = await createTempFolder();
    const near = `${folder.path}/near`;
    await Deno.writeTextFile(near, "near");
    await Deno.writeTextFile(`${mount.source}/file`, "far");
    mount.hang();
    const hanging = Array.from(
      { length: 15 },
      () => read(`${mount.path}/file`, { timeoutMs: 2_000 }),
    );
    await Promise.all(hanging.map((call) => rejects(call, isLate)));
    strictEqual(await read(near), "near", "the sixteenth thread serves");
    const cancel = new AbortController();
    const further: Promise<void>[] = [];
    // On a busy machine, a read may time out before it has a thread.
    const refusal = await onceRefused(async () => {
      further.push(rejects(read(`${mount.path}/file`, { signal: cancel.signal })));
      await read(near);
    });
    match(
      refusal.message,
      /^Cannot read ".+near": 16 operations wait for file systems that don't /,
    );
    cancel.abort();
    await Promise.all(further);
    mount.resume();
    strictEqual(await onceFree(() => read(near)), "near");
    strictEqual(await read(`${mount.path}/file`), "far");
  },
);

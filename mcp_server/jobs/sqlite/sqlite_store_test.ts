import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import {
  LOST,
  newEnd,
  newJob,
  type StorePlace,
  testJobStore,
} from "../../testing/job_store_suite.ts";
import { testRunningJobs } from "../../testing/running_job_suite.ts";
import { MIGRATIONS } from "./sqlite_schema.ts";
import { SqliteJobStore } from "./sqlite_store.ts";

async function createPlace(): Promise<StorePlace & { readonly path: string }> {
  const folder = await createTempFolder();
  const path = `${folder.path}/data`;
  return {
    path,
    open: () => SqliteJobStore.open(path),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

testJobStore("SqliteJobStore", createPlace);
testRunningJobs("SqliteJobStore", createPlace);

Deno.test("SqliteJobStore keeps jobs over a restart, in files that only their owner can read", async () => {
  await using place = await createPlace();
  const store = await place.open();
  const { id } = newJob();
  const { id: begun } = newJob();
  await store.create(newJob({ id: begun }), 10);
  await store.begin(begun, 1);
  await store.create(newJob({ id }), 10);
  for await (const { name } of Deno.readDir(place.path)) {
    const { mode } = await Deno.stat(`${place.path}/${name}`);
    strictEqual((mode ?? 0) & 0o777, 0o600, name);
  }
  strictEqual(((await Deno.stat(place.path)).mode ?? 0) & 0o777, 0o700);
  await store.close();
  const next = await place.open();
  strictEqual((await next.find(id))?.state, "queued");
  const gone = [{ server: store.server, begun: [begun] }];
  deepStrictEqual(await next.loseOrphans(LOST), gone);
  deepStrictEqual(await next.loseOrphans(LOST), gone);
  const lost = await next.find(id);
  deepStrictEqual([lost?.state, lost?.endedAt, lost?.error?.message], ["lost", 7, "it was queued"]);
  await next.forgetServer(lost?.server ?? "");
  deepStrictEqual(await next.loseOrphans(LOST), []);
  await next.close();
  const files = await Array.fromAsync(Deno.readDir(place.path), ({ name }) => name);
  deepStrictEqual(files.filter((name) => name.endsWith(".lock")), []);
});

Deno.test("SqliteJobStore lets one server clean up after another one", async () => {
  await using place = await createPlace();
  const store = await place.open();
  await store.create(newJob(), 10);
  await store.close();
  const [first, second] = [await place.open(), await place.open()];
  deepStrictEqual([await first.loseOrphans(LOST), await second.loseOrphans(LOST)], [
    [{ server: store.server, begun: [] }],
    [],
  ]);
  await first.close();
  const [again] = await second.loseOrphans(LOST);
  strictEqual(again?.server, store.server, "it was not forgotten");
  await second.close();
});

/** Overwrites the tables of a database, and leaves its header as it is. */
async function breakPages(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true });
  await file.seek(100, Deno.SeekMode.Start);
  await file.write(new TextEncoder().encode("garbage".repeat(1_000)));
}

Deno.test("SqliteJobStore rejects other files, and reports which and why", async () => {
  await using place = await createPlace();
  await Deno.mkdir(place.path);
  const path = `${place.path}/jobs.db`;
  const refused = async (state: RegExp) => {
    await rejects(place.open(), { code: "JOBS_UNAVAILABLE", message: state });
    await Deno.remove(path, { recursive: true });
  };
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE job (id)");
  database.close();
  await refused(/^Cannot keep jobs in ".*jobs\.db": it is a database of another program; move it/);
  await Deno.writeTextFile(path, "no database ".repeat(1_000));
  await refused(/not a database; move it away, and the next start creates a new one$/);
  await (await place.open()).close();
  await breakPages(path);
  await refused(/is malformed; move it away, and the next start creates a new one$/);
  await Deno.mkdir(path);
  await refused(/directory/);
  const store = await place.open();
  await store.close();
  await Deno.remove(place.path, { recursive: true });
  await Deno.writeTextFile(place.path, "");
  await rejects(place.open(), { code: "JOBS_UNAVAILABLE" });
});

Deno.test("SqliteJobStore leaves a store of a newer version as it is", async () => {
  await using place = await createPlace();
  await (await place.open()).close();
  const path = `${place.path}/jobs.db`;
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99; CREATE TABLE of_99 (id)");
  newer.close();
  await Deno.chmod(path, 0o640);
  const before = await contentOf(place.path);
  await rejects(place.open(), {
    code: "JOBS_UNAVAILABLE",
    message: `Cannot keep jobs in "${path}": it is of a newer version of the server ` +
      `(format 99; this one knows ${MIGRATIONS.length}); start that version, or set another ` +
      "MCP_DATA_DIR",
  });
  deepStrictEqual(await contentOf(place.path), before);
});

/** Mode and bytes of each file in a folder. */
async function contentOf(folder: string): Promise<Map<string, [number | null, Uint8Array]>> {
  const content = new Map<string, [number | null, Uint8Array]>();
  for await (const { name } of Deno.readDir(folder)) {
    const [path, { mode }] = [`${folder}/${name}`, await Deno.stat(`${folder}/${name}`)];
    content.set(name, [mode, await Deno.readFile(path)]);
  }
  return content;
}

Deno.test("SqliteJobStore frees the space of removed output", async () => {
  await using place = await createPlace();
  const store = await place.open();
  const { id } = newJob();
  await store.create(newJob({ id, outputBytes: 8_000_000 }), 10);
  const bytes = new Uint8Array(4_000_000).fill(7);
  await store.append(id, [{ stream: "stdout", offset: 0, bytes }]);
  await store.end(id, newEnd());
  await store.remove(id);
  while (!await store.tidy());
  await store.close();
  const { size } = await Deno.stat(`${place.path}/jobs.db`);
  ok(size < 1_000_000, `the file has ${size} bytes`);
});

/** Runs in a worker: holds the lock of a database for a while, without giving way. */
const HOLD_LOCK = `import { DatabaseSync } from "node:sqlite";
self.onmessage = ({ data: { path, ms } }) => {
  const database = new DatabaseSync(path);
  database.exec("BEGIN IMMEDIATE");
  self.postMessage("held");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  database.exec("COMMIT");
  database.close();
};`;

Deno.test("SqliteJobStore waits for a server that is paused in a transaction", async () => {
  await using place = await createPlace();
  const store = await place.open();
  const url = `data:application/javascript,${encodeURIComponent(HOLD_LOCK)}`;
  const worker = new Worker(url, { type: "module" });
  const held = new Promise((resolve) => worker.onmessage = resolve);
  worker.postMessage({ path: `${place.path}/jobs.db`, ms: 2_500 });
  await held;
  strictEqual((await store.create(newJob(), 10)).kind, "created");
  worker.terminate();
  await store.close();
});

Deno.test("SqliteJobStore leaves no lock if it can't be opened", async () => {
  await using place = await createPlace();
  await (await place.open()).close();
  const database = new DatabaseSync(`${place.path}/jobs.db`);
  database.exec(
    "CREATE TRIGGER no_room BEFORE INSERT ON server BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  database.close();
  await rejects(place.open(), { code: "JOBS_UNAVAILABLE" });
  const files = await Array.fromAsync(Deno.readDir(place.path), ({ name }) => name);
  deepStrictEqual(files.filter((name) => name.endsWith(".lock")), []);
});

/** Locks a store as another process does, until it is released. */
function lockStore(folder: string): { release(): void } {
  const database = new DatabaseSync(`${folder}/jobs.db`);
  database.exec("BEGIN IMMEDIATE");
  return { release: () => database.close() };
}

/** Lets the event loop turn some times. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
}

Deno.test("SqliteJobStore leaves the event loop free while another process has locked it", async () => {
  await using place = await createPlace();
  const store = await place.open();
  const { id } = newJob();
  await store.create(newJob({ id }), 10);
  await store.begin(id, 1);
  const lock = lockStore(place.path);
  const ended: string[] = [];
  const track = async (name: string, work: Promise<unknown>) => {
    await work;
    ended.push(name);
  };
  const piece = (offset: number, text: string) => {
    return [{ stream: "stdout", offset, bytes: new TextEncoder().encode(text) }] as const;
  };
  const waiting = [
    track("first", store.append(id, piece(0, "one"))),
    track("second", store.append(id, piece(3, "two"))),
    track("end", store.end(id, newEnd())),
    track("create", store.create(newJob(), 10)),
    track("open", place.open().then((other) => other.close())),
  ];
  await turns();
  strictEqual((await store.find(id))?.state, "running", "reading goes on");
  deepStrictEqual(ended, []);
  lock.release();
  await Promise.all(waiting);
  const changes = ended.filter((name) => name !== "open");
  deepStrictEqual(changes, ["first", "second", "end", "create"], "in order");
  const [read] = await store.read(id, "stdout", { from: 0, to: 6 });
  strictEqual(new TextDecoder().decode(read?.bytes), "onetwo");
  await store.close();
});

Deno.test("SqliteJobStore closes while it is locked, and leaves its jobs to the next server", async () => {
  await using place = await createPlace();
  const store = await place.open();
  await store.create(newJob(), 10);
  const lock = lockStore(place.path);
  const refused = rejects(store.create(newJob(), 10), {
    code: "JOBS_UNAVAILABLE",
    message: /database is locked by another process; look for a stopped server, sqlite3 or a/,
  });
  await store.close();
  await refused;
  lock.release();
  const next = await place.open();
  deepStrictEqual(await next.loseOrphans(LOST), [{ server: store.server, begun: [] }]);
  await next.close();
});

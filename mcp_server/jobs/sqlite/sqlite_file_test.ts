import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { JobError } from "../../tool/job.ts";
import { StoreTurns } from "./sqlite_file.ts";

function locked(): never {
  const cause = new Error("database is locked");
  throw new JobError("Cannot keep jobs: it is locked", { code: "JOBS_UNAVAILABLE", cause });
}

Deno.test("StoreTurns gives up on a lock that stays, for all that wait", async () => {
  const turns = new StoreTurns(20);
  const waiting = [turns.run(locked), turns.run(locked), turns.read(locked)];
  for (const one of waiting) await rejects(one, { code: "JOBS_UNAVAILABLE" });
  strictEqual(await turns.run(() => "free"), "free");
});

Deno.test("StoreTurns repeats nothing that failed for another reason", async () => {
  const turns = new StoreTurns();
  let runs = 0;
  const step = () => {
    runs++;
    throw new JobError("Cannot keep jobs: no", {
      code: "JOBS_UNAVAILABLE",
      cause: new Error("no"),
    });
  };
  await rejects(turns.run(step), { message: "Cannot keep jobs: no" });
  strictEqual(runs, 1);
});

Deno.test("StoreTurns keeps the order of changes, and lets reads go before them", async () => {
  const turns = new StoreTurns();
  const done: string[] = [];
  let isLocked = true;
  const write = (name: string) =>
    turns.run(() => {
      if (isLocked) locked();
      done.push(name);
    });
  const writes = [write("a"), write("b")];
  await turns.read(() => done.push("read"));
  isLocked = false;
  await Promise.all([...writes, write("c")]);
  deepStrictEqual(done, ["read", "a", "b", "c"]);
});

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { setImmediate } from "node:timers";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { LiveProcess } from "./proc_format.ts";
import {
  createGroupTable,
  createHelperSource,
  createProcSource,
  createSourceTable,
  type Look,
  type ProcessTable,
  type RunMark,
  shareLooks,
} from "./process_table.ts";
import { findByMark, kill, PATH } from "../testing/test_runner.ts";

const NO_RUN: RunMark = { id: crypto.randomUUID(), group: 2 ** 22 + 1 };

/** How many looks at a process that does nothing but execve(2): about one in ten is inside. */
const LOOKS = 60;

const SOURCES = {
  "createProcSource()": createProcSource,
  "createHelperSource()": () => createHelperSource(PATH),
};

/** A table that looks once more after a look that took too long, as one does while the machine pauses. */
function createPatientTable(open: typeof createProcSource): ProcessTable & AsyncDisposable {
  const { find, marked, holders, ...table } = createSourceTable(open());
  return {
    ...table,
    find: (run) => find(run).catch(() => find(run)),
    marked: (id) => marked(id).catch(() => marked(id)),
    holders: (run) => holders(run).catch(() => holders(run)),
  };
}

for (const [name, open] of Object.entries(SOURCES)) {
  Deno.test(`${name} finds the group of a run, and what carries its id elsewhere`, async () => {
    await using table = createPatientTable(open);
    await using run = startRun("sleep 300 & env -i sleep 300 & setsid sleep 300 &");
    await eventually(async () => {
      const groups = (await table.find(run)).map(({ group }) => group === run.group);
      deepStrictEqual(groups.sort(), [false, true, true, true]);
    });
    deepStrictEqual(await table.find(NO_RUN), []);
  });

  Deno.test(`${name} finds no zombie`, async () => {
    await using table = createPatientTable(open);
    // The program that replaces the shell does not reap the shell's child.
    await using run = startRun("sleep 0.1 &");
    await eventually(() => deepStrictEqual(statesOf(run.group), ["S", "Z"]));
    deepStrictEqual(await table.find(run), [{ pid: run.group, group: run.group }]);
  });

  Deno.test(`${name} finds who holds a stream of the run, under any descriptor number`, async () => {
    await using table = createPatientTable(open);
    await using run = startRun(`
      MARK=holds-$MCP_RUN_ID sleep 300 &
      MARK=holds-$MCP_RUN_ID setsid sleep 300 3>&1 > /dev/null 2>&1 &
      sleep 300 > /dev/null 2>&1 &
      sleep 300 2>&1 | sleep 300 > /dev/null 2>&1 &
      exec > /dev/null 2>&1`);
    await eventually(async () => {
      const holders = (await table.holders(run)).map(({ pid }) => pid);
      deepStrictEqual(holders, findByMark(`MARK=holds-${run.id}`));
      deepStrictEqual(holders.length, 2);
    });
    deepStrictEqual(await table.holders(NO_RUN), []);
  });

  Deno.test(`${name} finds a process while it replaces its program`, async () => {
    await using table = createPatientTable(open);
    // Its id comes late in an environment that is read in several parts.
    await using run = startRun(
      `A=$(printf %03000d) MARK=execs-$MCP_RUN_ID setsid sh -c 'exec sh -c "$0" "$0"' '
      exec sh -c "$0" "$0"' &`,
    );
    await eventually(async () => {
      // Until it runs, the shell that prepares its environment may have another process.
      strictEqual(findByMark(`MARK=execs-${run.id}`).length, 1);
      strictEqual((await table.find(run)).length, 2);
    });
    for (let looks = 0; looks < LOOKS; looks++) {
      strictEqual((await table.marked(run.id)).length, 2, `look ${looks}`);
    }
  });

  Deno.test(`${name} does not block the event loop`, async () => {
    await using table = createPatientTable(open);
    let turns = 0;
    let looking = true;
    const found = table.find(NO_RUN).finally(() => looking = false);
    while (looking) {
      await new Promise((resolve) => setImmediate(resolve));
      if (looking) turns++;
    }
    deepStrictEqual(await found, []);
    ok(turns > 0);
  });
}

Deno.test("createHelperSource() takes no part of an answer for the whole", async () => {
  await using folder = await createTempFolder();
  const slow = '#!/bin/sh\n/bin/cat "$1"; exec sleep 60\n';
  await Deno.writeTextFile(`${folder.path}/cat`, slow, { mode: 0o755 });
  await using table = createSourceTable(createHelperSource(`${folder.path}:${PATH}`));
  await rejects(table.find(NO_RUN), /^Error: Cannot look up processes: no answer within 1500 ms$/);
});

Deno.test("createGroupTable() knows whether a group is empty", async () => {
  const table = createGroupTable();
  const run = startRun("");
  deepStrictEqual(await table.find(run), [{ pid: run.group, group: run.group }]);
  await run[Symbol.asyncDispose]();
  deepStrictEqual(await table.find(run), []);
});

const RUNS: readonly RunMark[] = [1, 2, 3, 4].map((group) => ({ id: `run ${group}`, group }));

/** A scan that the test answers, and the runs of each. */
function createHeldLook() {
  const asked: (readonly RunMark[])[] = [];
  const answers: PromiseWithResolvers<readonly LiveProcess[][]>[] = [];
  const look: Look = (runs) => {
    asked.push(runs);
    const answer = Promise.withResolvers<readonly LiveProcess[][]>();
    answers.push(answer);
    return answer.promise;
  };
  return { look, asked, answers };
}

const toFound = (runs: readonly RunMark[]) => runs.map(({ group }) => [{ pid: group, group }]);
const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("shareLooks() answers all requests during a scan with the one that follows it", async () => {
  const { look, asked, answers } = createHeldLook();
  const find = shareLooks(look);
  const [first, ...late] = RUNS;
  const finds = [find(first!)];
  await turn();
  finds.push(...late.map(find));
  await turn();
  deepStrictEqual(asked, [[first]]);

  answers[0]!.resolve(toFound([first!]));
  await turn();
  deepStrictEqual(asked, [[first], late]);

  answers[1]!.resolve(toFound(late));
  deepStrictEqual(await Promise.all(finds), toFound(RUNS));
});

Deno.test("shareLooks() scans again after a scan that failed", async () => {
  const { look, asked, answers } = createHeldLook();
  const find = shareLooks(look);
  const failing = find(RUNS[0]!);
  await turn();
  answers[0]!.reject(new Error("no /proc"));
  await rejects(failing, /no \/proc/);

  const next = find(RUNS[1]!);
  await turn();
  answers[1]!.resolve(toFound([RUNS[1]!]));
  deepStrictEqual(await next, [{ pid: 2, group: 2 }]);
  deepStrictEqual(asked, [[RUNS[0]], [RUNS[1]]]);
});

/** Starts a script as the runner would; its shell is replaced by a program that sleeps. */
function startRun(script: string): RunMark & AsyncDisposable {
  const id = crypto.randomUUID();
  const child = new Deno.Command("bash", {
    args: ["-c", `${script}\nexec sleep 300`],
    clearEnv: true,
    env: { PATH, MCP_RUN_ID: id },
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return {
    id,
    group: child.pid,
    [Symbol.asyncDispose]: async () => {
      kill(-child.pid);
      findByMark(id).forEach(kill);
      await Promise.all([child.status, child.stdout.cancel(), child.stderr.cancel()]);
    },
  };
}

/** The states of a group's processes, sorted (proc_pid_stat(5)). */
function statesOf(group: number): string[] {
  return [...Deno.readDirSync("/proc")].filter(({ name }) => /^\d+$/.test(name))
    .map(({ name }) => readStat(name).split(/\(.*\) /s)[1] ?? "")
    .map((fields) => fields.split(" "))
    .filter(([, , of]) => of === String(group))
    .map(([state = ""]) => state)
    .sort();
}

function readStat(pid: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/stat`);
  } catch {
    return "";
  }
}

/** Retries an assertion about what processes do by themselves; the last try throws its error. */
async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  for (const end = performance.now() + 30_000; performance.now() < end;) {
    try {
      return await assertion();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  await assertion();
}

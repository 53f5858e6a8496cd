import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { isFinal } from "./tool/job.ts";
import { createRandom, newSeed } from "./soak/random.ts";
import { createJobsApp, type JobsApp, readWhole, untilEnd } from "./testing/jobs_app.ts";
import { whyUncontained } from "./testing/contained.ts";
import { processesWith, uniqueSleep, untilProcesses } from "./testing/processes.ts";

/** `MCP_TEST_KILLS=50` is the long form. */
const KILLS = Number(Deno.env.get("MCP_TEST_KILLS") ?? 4);
/** A server is killed after it has printed at most so many lines. */
const MOST_LINES = 120;
const MOST_PAUSE_MS = 30;
/** A server that prints nothing for so long has no more lines. */
const QUIET_MS = 2_000;
const GONE_MS = 10_000;
const LINE_BYTES = 16;

const uncontained = await whyUncontained();

const PROGRAM = new URL("./testing/jobs_main.ts", import.meta.url).pathname;

/** What a server reported about its jobs before it was killed: how much output of each it has read. */
type ReadByJob = ReadonlyMap<string, number>;

/**
 * Starts a server, and kills it a short time after a moment, or once it has printed nothing for
 * `quietMs`.
 */
async function killServer(
  folder: string,
  command: string,
  { isMoment, pauseMs, quietMs }: {
    isMoment: (line: number, ended: boolean) => boolean;
    pauseMs: number;
    quietMs?: number;
  },
): Promise<ReadByJob> {
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "--quiet", PROGRAM, command],
    env: { MCP_DATA_DIR: folder, MCP_MAX_RUNS: "6", MCP_JOB_OUTPUT_BYTES: "65536" },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let lines = 0;
  let killed = false;
  const kill = (afterMs: number) => setTimeout(() => server.kill("SIGKILL"), afterMs);
  let quiet: ReturnType<typeof kill> | undefined;
  const outputs = new Map<string, number>();
  let rest = "";
  for await (const text of server.stdout.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      const { id, read, ended = false } = JSON.parse(line);
      outputs.set(id, Math.max(read, outputs.get(id) ?? 0));
      if (killed) continue;
      clearTimeout(quiet);
      killed = isMoment(++lines, ended);
      const waitMs = killed ? pauseMs : quietMs;
      if (waitMs !== undefined) quiet = kill(waitMs);
    }
  }
  clearTimeout(quiet);
  strictEqual((await server.status).signal, "SIGKILL");
  return outputs;
}

/** The bytes from an offset of what `seq -f %015.0f 1 N` prints. */
function seqBytes(from: number, to: number): string {
  const first = Math.floor(from / LINE_BYTES);
  const count = Math.ceil(to / LINE_BYTES) - first;
  const lines = Array.from({ length: count }, (_, at) => `${first + at + 1}`.padStart(15, "0"));
  return lines.map((line) => `${line}\n`).join("").slice(from - first * LINE_BYTES).slice(
    0,
    to - from,
  );
}

/** Checks a job that a killed server left. */
async function checkLost(server: JobsApp, id: string, read: number): Promise<boolean> {
  const { state, output, error } = await server.jobs.get(id);
  ok(isFinal(state), `${id} is ${state}`);
  const { end, gap } = output.stdout;
  ok(end >= read, `${id} has ${end} bytes, and ${read} were read before`);
  const whole = new TextDecoder().decode(await readWhole(server.jobs, id));
  const expected = gap === undefined
    ? seqBytes(0, end)
    : seqBytes(0, gap.from) + seqBytes(gap.to, end);
  strictEqual(whole, expected, `${id} is torn`);
  if (state === "lost") strictEqual(error?.code, "JOB_LOST");
  return state === "lost";
}

Deno.test(`a server killed ${KILLS} times leaves jobs that are known, whole and without processes`, async () => {
  await using folder = await createTempFolder();
  const data = `${folder.path}/data`;
  const seed = newSeed();
  const random = createRandom(seed);
  const sleep = uniqueSleep();
  const command = `setsid sleep ${sleep} & for i in 0 1 2 3 4 5 6 7 8 9; do
    seq -f %015.0f $((i * 1000 + 1)) $((i * 1000 + 1000)); read -t 0.02 <> <(:); done; sleep ${sleep}`;
  let lost = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const moment = 1 + random.below(MOST_LINES);
    const outputs = await killServer(data, command, {
      isMoment: (line) => line === moment,
      pauseMs: random.below(MOST_PAUSE_MS),
      quietMs: QUIET_MS,
    });
    await using server = await createJobsApp({ MCP_DATA_DIR: data });
    for (const [id, read] of outputs) {
      if (await checkLost(server, id, read)) lost++;
    }
    await untilProcesses(sleep, 0, GONE_MS);
  }
  ok(lost > 0, `no job was lost, seed ${seed}`);
  const database = new DatabaseSync(`${data}/jobs.db`);
  deepStrictEqual({ ...database.prepare("PRAGMA integrity_check").get() }, {
    integrity_check: "ok",
  });
  strictEqual(database.prepare("SELECT count(*) AS n FROM server").get()?.n, 0);
  database.close();
});

Deno.test("a server that runs next to a killed one marks its jobs as lost, and no others", async () => {
  await using folder = await createTempFolder();
  const data = `${folder.path}/data`;
  await using server = await createJobsApp({ MCP_DATA_DIR: data });
  const [own, foreign] = [uniqueSleep(), uniqueSleep()];
  const job = await server.sh(`sleep ${own}`);
  const daemon = uniqueSleep();
  // Without control groups, what drops its environment is not found.
  const hidden = uncontained === undefined ? `env -i setsid sleep ${foreign} & ` : "";
  // The first job ends once another one runs, which is then lost.
  const another = `${folder.path}/another`;
  const command = `if mkdir ${folder.path}/first; then
      setsid sleep ${daemon} >&- 2>&- <&- & until [ -e ${another} ]; do sleep 0.02; done
    else touch ${another}; ${hidden}sleep ${foreign}; fi`;
  const isMoment = (_line: number, ended: boolean) => ended;
  const outputs = await killServer(data, command, { isMoment, pauseMs: 0 });
  const ends = await Promise.all([...outputs.keys()].map((id) => untilEnd(server.jobs, id)));
  deepStrictEqual(new Set(ends.map(({ state }) => state)), new Set(["completed", "lost"]));
  await untilProcesses(foreign, 0, GONE_MS);
  const [left, ...rest] = await processesWith(daemon);
  deepStrictEqual([typeof left, rest], ["number", []], "a completed job's daemon goes on");
  Deno.kill(left ?? 0, "SIGKILL");
  strictEqual((await server.jobs.get(job.id)).state, "running");
  strictEqual((await processesWith(own)).length > 0, true);
});

import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { inParallel } from "../shared/concurrency.ts";
import { killIn, processesIn, whyUncontained } from "../testing/contained.ts";
import { abortWhenReady, createTestLog, createTestRunner, PATH } from "../testing/test_runner.ts";
import { openContainment } from "./containment.ts";

/** How many commands are stopped; `MCP_TEST_STOPS=1000` is the long form. */
const STOPS = Number(Deno.env.get("MCP_TEST_STOPS") ?? 12);
const AT_ONCE = 8;

/** What commands start to survive their stop; each runs beside a shell that waits. */
const SHAPES: Readonly<Record<string, string>> = {
  "no environment, and a session of its own": "env -i setsid sleep 300 &",
  "a double fork":
    "(env -i setsid sh -c 'env -i setsid sleep 300 & env -i setsid sleep 300 & exit' &) ;",
  "a daemon that closes everything": "env -i setsid sh -c 'exec <&- >&- 2>&-; sleep 300; :' &",
  "another name": `env -i setsid bash -c 'exec -a "[kworker/0:1]" sleep 300' &`,
  "every signal ignored":
    "env -i setsid sh -c 'trap \"\" TERM HUP INT QUIT USR1 USR2; while :; do sleep 1; done' &",
  "a stopped process": "env -i setsid sh -c 'kill -STOP $$; sleep 300' &",
  "a fork storm":
    "env -i setsid bash -c 'trap \"\" TERM; while :; do env -i setsid sleep 300 & sleep 0.01; done' &",
  "a process that starts its successor and ends":
    "env -i setsid bash -c 'hop() { sleep 0.01; hop & exit; }; hop & exit' &",
  ...(Deno.uid() === 0
    ? {
      "another user": "env -i setsid setpriv --reuid=65534 --clear-groups sleep 300 &",
      "a namespace of its own": "env -i setsid unshare --pid --fork sleep 300 &",
      "a group within its group":
        "g=$(sed -n s/^0:://p /proc/self/cgroup); for r in /sys/fs/cgroup /sys/fs/cgroup/unified; do " +
        'mkdir $r$g/in 2>/dev/null && env -i setsid sh -c "echo 0 >$r$g/in/cgroup.procs; sleep 300" & ' +
        "done",
    }
    : {}),
};

const uncontained = await whyUncontained();

Deno.test(`${STOPS} stopped commands of hostile shapes leave no process`, async () => {
  if (uncontained !== undefined) return await checkRefusal(uncontained);
  await using folder = await createTempFolder();
  const log = createTestLog();
  await using containment = await openContainment({
    mode: "required",
    limits: {},
    path: PATH,
    log,
  });
  await using runner = createTestRunner(
    { maxRuns: AT_ONCE, maxQueue: STOPS },
    { PATH },
    containment.groups,
  );
  const shapes = Object.entries(SHAPES);
  const stops = Array.from({ length: STOPS }, (_, at) => shapes[at % shapes.length] ?? shapes[0]);
  try {
    const survivors = await inParallel(stops, async (shape) => {
      const [what = "", script = ""] = shape ?? [];
      const own = `${folder.path}/${crypto.randomUUID()}`;
      await Deno.mkdir(own);
      const command = `${script} sleep 0.1; echo ready; sleep 300; :`;
      const run = runner.sh(command, { cwd: own }, abortWhenReady("stopped"));
      const reason = await run.then(() => "ended", (reason) => reason);
      strictEqual(reason, "stopped", `${what}: ${reason}`);
      const left = processesIn(own);
      killIn(own);
      return left.length === 0 ? [] : [what];
    }, { atOnce: AT_ONCE });
    deepStrictEqual(survivors.flat(), []);
    deepStrictEqual([...runner.log.lines, ...log.lines], []);
  } finally {
    killIn(folder.path);
  }
});

/** A machine without control groups is no reason to promise them. */
async function checkRefusal(reason: string): Promise<void> {
  const open = openContainment({ mode: "required", limits: {}, path: PATH, log: createTestLog() });
  await rejects(open, (error) => {
    match(String(error), /Cannot contain commands in control groups: /);
    strictEqual(String(error).endsWith(reason), true);
    return true;
  });
}

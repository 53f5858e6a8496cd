import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { endProcesses, groupOf } from "./end_processes.ts";
import type { LiveProcess } from "./proc_format.ts";

Deno.test("groupOf() never targets the server's own group or every process", () => {
  deepStrictEqual([{ pid: 7, group: 5 }, { pid: 7, group: 1 }, { pid: 7, group: 0 }].map(groupOf), [
    -5,
    7,
    7,
  ]);
});

Deno.test("endProcesses() ends what left the group while the group was being signaled", async () => {
  const [child, escaped] = [sleep(), sleep()];
  const looks: LiveProcess[][] = [[toLive(child)], [toLive(escaped)]];
  const ending = await endProcesses({
    known: [toLive(child)],
    find: () => Promise.resolve(looks.shift() ?? []),
    target: groupOf,
  });
  deepStrictEqual(ending.left, []);
  strictEqual((await child.status).signal, "SIGTERM");
  strictEqual((await escaped.status).signal, "SIGTERM");
});

Deno.test("endProcesses() scans again before it reports that none is left", async () => {
  const [child, successor] = [sleep(), sleep()];
  const looks: LiveProcess[][] = [[toLive(child)], [], [toLive(successor)]];
  await endProcesses({
    known: [toLive(child)],
    find: () => Promise.resolve(looks.shift() ?? []),
    target: groupOf,
  });
  strictEqual((await child.status).signal, "SIGTERM");
  strictEqual((await successor.status).signal, "SIGTERM");
});

Deno.test("endProcesses() sends SIGKILL after 2 s, even during a scan", async () => {
  const script = "trap '' TERM; echo ready; while :; do sleep 300; done";
  const child = new Deno.Command("bash", {
    args: ["-c", script],
    detached: true,
    stdout: "piped",
  }).spawn();
  await child.stdout.getReader().read();
  const killed = Promise.withResolvers<LiveProcess[]>();
  let looks = 0;
  const ending = endProcesses({
    known: [toLive(child)],
    find: () => ++looks === 1 ? killed.promise : Promise.resolve([]),
    target: groupOf,
  });
  strictEqual((await child.status).signal, "SIGKILL");
  killed.resolve([]);
  deepStrictEqual((await ending).left, []);
});

Deno.test("endProcesses() looks as long after SIGKILL, however late a pause of the machine makes it", async () => {
  const gone: LiveProcess = { pid: 2 ** 22 + 1, group: 0 };
  let looks = 0;
  using clock = createClock();
  const { left } = await endProcesses({
    known: [gone],
    find: () => {
      if (++looks === 1) clock.advance(60_000);
      return Promise.resolve(looks <= 3 ? [gone] : []);
    },
    target: () => 0,
  });
  deepStrictEqual(left, []);
});

/** The clock of this process, which a test sets forward. */
function createClock(): Disposable & { advance(ms: number): void } {
  const now = performance.now.bind(performance);
  let forward = 0;
  performance.now = () => now() + forward;
  return {
    advance: (ms) => void (forward += ms),
    [Symbol.dispose]: () => void Reflect.deleteProperty(performance, "now"),
  };
}

function sleep(): Deno.ChildProcess {
  return new Deno.Command("sleep", { args: ["10"], detached: true }).spawn();
}

function toLive({ pid }: Deno.ChildProcess): LiveProcess {
  return { pid, group: pid };
}

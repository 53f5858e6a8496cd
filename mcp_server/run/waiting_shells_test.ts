import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { CommandGroup } from "./command_group.ts";
import { openContainment } from "./containment.ts";
import { createTestLog, createTestRunner, findByMark, kill, PATH } from "../testing/test_runner.ts";
import { type WaitingShell, WaitingShells } from "./waiting_shells.ts";

Deno.test("WaitingShells starts no shell beside a command while another one waits", async () => {
  const log = createTestLog();
  await using containment = await openContainment({ mode: "auto", limits: {}, path: PATH, log });
  const { groups } = containment;
  // Only in control groups commands wait for shells.
  if (groups === undefined) return;
  let taken = 0;
  const counted = {
    take: () => {
      taken++;
      return groups.take();
    },
    settle: groups.settle.bind(groups),
  };
  const shells = new WaitingShells({ groups: counted, env: { PATH }, log });
  strictEqual(shells.take(), undefined);
  await shells.settled();
  strictEqual(taken, 2);

  const first = shells.take();
  await shells.settled();
  strictEqual(taken, 2);
  shells.refill();
  await shells.settled();
  strictEqual(taken, 3);

  const others = [shells.take(), shells.take()];
  await shells.settled();
  strictEqual(taken, 5);
  await shells.close();
  deepStrictEqual(await Promise.all([first, ...others].map(run)), ["1\n", "1\n", "1\n"]);
  for (const shell of [first, ...others]) if (shell !== undefined) await groups.settle(shell.group);
});

Deno.test("WaitingShells returns the groups of shells that can't be started, or are ended", async () => {
  const log = createTestLog();
  await using containment = await openContainment({ mode: "auto", limits: {}, path: PATH, log });
  const { groups } = containment;
  if (groups === undefined) return;
  const taken: CommandGroup[] = [];
  const settled: string[] = [];
  const counted = {
    take: async () => {
      const group = await groups.take();
      taken.push(group);
      return group;
    },
    settle: async (group: CommandGroup) => {
      await groups.settle(group);
      settled.push(group.name);
    },
  };
  // No system starts a program with such a variable.
  const broken = new WaitingShells({ groups: counted, env: { A: "\0" }, log });
  broken.refill();
  await broken.settled();
  deepStrictEqual(settled, taken.map(({ name }) => name));
  strictEqual(log.lines.at(-1)?.message, "no shell can wait for commands");

  const shells = new WaitingShells({ groups: counted, env: { PATH }, log });
  shells.refill();
  await shells.settled();
  await untilJoined(taken[1]);
  await taken[1]?.kill();
  // A shell that waits keeps no program running, so a timer has to.
  for (let look = 0; look < 500 && settled.length < 2; look++) await pause();
  strictEqual(settled.length, 2);
  await shells.close();
  deepStrictEqual(settled, taken.map(({ name }) => name));
});

Deno.test("a command whose waiting shell was ended runs in another one", async () => {
  const log = createTestLog();
  await using containment = await openContainment({ mode: "auto", limits: {}, path: PATH, log });
  const { groups } = containment;
  if (groups === undefined) return;
  const mark = crypto.randomUUID();
  await using runner = createTestRunner({}, { PATH, SHELLS: mark }, groups);
  await runner.sh("true");
  for (let look = 0; look < 500 && findByMark(mark).length < 2; look++) {
    await pause();
  }
  const shells = findByMark(mark);
  strictEqual(shells.length, 2);
  shells.forEach(kill);
  // Without a turn of the event loop, this process does not learn that they have ended.
  const end = performance.now() + 5_000;
  while (!shells.every(isZombie) && performance.now() < end);
  strictEqual((await runner.sh("echo ok")).stdout, "ok\n");
  deepStrictEqual(runner.log.lines, []);
});

function isZombie(pid: number): boolean {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
}

/** Waits until the shell of a group is in it, which the kernel may delay. */
async function untilJoined(group: CommandGroup | undefined): Promise<void> {
  for (let look = 0; look < 500 && await group?.isEmpty() === true; look++) {
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

async function run(shell: WaitingShell | undefined): Promise<string> {
  if (shell === undefined) return "no shell waits";
  shell.child.ref();
  const writer = shell.child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("exec echo 1\n"));
  await writer.close();
  return new TextDecoder().decode((await shell.child.output()).stdout);
}

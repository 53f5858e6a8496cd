import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { CommandGroup } from "./command_groups.ts";
import { openContainment } from "./containment.ts";
import { createTestLog, createTestRunner, findByMark, kill, PATH } from "../testing/test_runner.ts";
import { spawnSession, type WaitingShell, WaitingShells } from "./child.ts";

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

const ignore = Deno.build.os !== "linux";

/** Starts a program, checks that it leads its session and gets what it was started with. */
async function checkSession(path: string): Promise<void> {
  const args = ["-c", 'read -r word; echo "$word $0 $1"; env', "-x", "a b"];
  const child = await spawnSession({ program: "/bin/sh", args, env: { PATH, A: "1" } }, { path });
  const stat = await Deno.readTextFile(`/proc/${child.pid}/stat`);
  const [, , , group, session] = stat.slice(stat.lastIndexOf(")") + 1).split(" ").map(Number);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("word\n"));
  await writer.close();
  const { code, stdout } = await child.output();
  deepStrictEqual([group, session, code], [child.pid, child.pid, 0]);
  match(new TextDecoder().decode(stdout), /^word -x a b\n(?=[^]*^A=1$)/m);
}

Deno.test({
  name: "spawnSession() resolves once the program leads its session, however slow setsid is",
  ignore,
  fn: async () => {
    await using folder = await createTempFolder();
    const script = '#!/bin/sh\nsleep 0.2\nexec /usr/bin/setsid "$@"\n';
    await Deno.writeTextFile(`${folder.path}/setsid`, script, { mode: 0o755 });
    await checkSession(folder.path);
  },
});

Deno.test({
  name: "spawnSession() starts a detached process where there is no setsid",
  ignore,
  fn: () => checkSession("/nonexistent"),
});

Deno.test({
  name: "spawnSession() resolves with a program that ends at once",
  ignore,
  fn: async () => {
    const missing = { program: "/nonexistent/program", args: [], env: { PATH } };
    const child = await spawnSession(missing);
    await child.stdin.close();
    strictEqual((await child.output()).code, 127);
    await rejects(spawnSession(missing, { path: "/nonexistent" }), Deno.errors.NotFound);
  },
});

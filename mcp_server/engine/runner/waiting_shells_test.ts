import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { openContainment } from "../cgroups/containment.ts";
import { createTestLog, PATH } from "../../testing/test_runner.ts";
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

async function run(shell: WaitingShell | undefined): Promise<string> {
  if (shell === undefined) return "no shell waits";
  shell.child.ref();
  const writer = shell.child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("exec echo 1\n"));
  await writer.close();
  return new TextDecoder().decode((await shell.child.output()).stdout);
}

import { deepStrictEqual } from "node:assert/strict";
import { toGroupLimits } from "./command_group.ts";

Deno.test("toGroupLimits() limits what is given, and ends a command as a whole", () => {
  const files = (limits: Parameters<typeof toGroupLimits>[0]) =>
    toGroupLimits(limits).map(({ controller, file, value }) => [controller, file, value]);
  deepStrictEqual(files({}), []);
  deepStrictEqual(files({ memoryBytes: 2 ** 20, pids: 9, cpu: 1.5 }), [
    ["memory", "memory.max", "1048576"],
    ["memory", "memory.oom.group", "1"],
    ["memory", "memory.swap.max", "0"],
    ["pids", "pids.max", "9"],
    ["cpu", "cpu.max", "150000 100000"],
  ]);
});

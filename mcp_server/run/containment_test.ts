import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import type { CgroupFiles } from "./command_groups.ts";
import { findBase, reasonOf, toGroupLimits, toOwnGroup } from "./containment.ts";

const UNIFIED = "30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
const HYBRID = "29 25 0:25 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n" +
  "30 25 0:26 / /sys/fs/cgroup/unified rw shared:3 - cgroup2 cgroup2 rw\n";
const BOUND = "30 25 0:26 /docker/a /sys/fs/cgroup ro - cgroup2 cgroup rw\n";

const OWN: Record<string, [cgroup: string, mountinfo: string, own: string]> = {
  "the root": ["0::/\n", UNIFIED, "/sys/fs/cgroup"],
  "a unit": ["0::/system.slice/a.service\n", UNIFIED, "/sys/fs/cgroup/system.slice/a.service"],
  "a group of v2 beside v1": ["8:pids:/x\n0::/b\n", HYBRID, "/sys/fs/cgroup/unified/b"],
  "a group of which only a part is mounted": ["0::/docker/a/b\n", BOUND, "/sys/fs/cgroup/b"],
  "the mounted part": ["0::/docker/a\n", BOUND, "/sys/fs/cgroup"],
};

for (const [what, [cgroup, mountinfo, own]] of Object.entries(OWN)) {
  Deno.test(`toOwnGroup() finds ${what}`, () => strictEqual(toOwnGroup(cgroup, mountinfo), own));
}

const MISSING: Record<string, [cgroup: string, mountinfo: string, state: RegExp]> = {
  "without cgroup v2": ["8:pids:/x\n", HYBRID, /^cgroup v2 is not mounted$/],
  "without a mount of it": ["0::/a\n", "29 25 0:25 / /proc rw - proc proc rw\n", /is not mounted$/],
  "outside of the mounted part": ["0::/docker/b\n", BOUND, /^its cgroup "\/docker\/b" is outside/],
  "outside of the namespace": ["0::/../a\n", UNIFIED, /^its cgroup "\/\.\.\/a" is outside/],
  "with a space": ["0::/a b\n", UNIFIED, /^the path ".*a b" of its group has a space$/],
};

for (const [what, [cgroup, mountinfo, state]] of Object.entries(MISSING)) {
  Deno.test(`toOwnGroup() says what is missing ${what}`, () => {
    throws(() => toOwnGroup(cgroup, mountinfo), (error: unknown) => state.test(reasonOf(error)));
  });
}

/** A tree in which each group has the same controllers, and nothing can be changed. */
function treeWith(controllers: string): CgroupFiles {
  const refuse = () => Promise.reject(new Error("Cannot change the tree of a test"));
  return {
    read: () => Promise.resolve(`${controllers}\n`),
    write: refuse,
    folders: () => Promise.resolve([]),
    make: refuse,
    remove: refuse,
    link: refuse,
    moveServer: refuse,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const LACKING: [has: string, state: string][] = [
  [
    "hugetlb memory",
    'has the controllers "hugetlb memory", and lacks "pids" for MCP_COMMAND_PIDS, ' +
    '"cpu" for MCP_COMMAND_CPU',
  ],
  ["memory pids", 'has the controllers "memory pids", and lacks "cpu" for MCP_COMMAND_CPU'],
  [
    "",
    'has no controllers, and lacks "memory" for MCP_COMMAND_MEMORY_BYTES, ' +
    '"pids" for MCP_COMMAND_PIDS, "cpu" for MCP_COMMAND_CPU',
  ],
];

for (const [has, state] of LACKING) {
  Deno.test(`findBase() names the settings whose controllers are missing beside "${has}"`, async () => {
    await rejects(
      findBase(treeWith(has), "/a/b", ["memory", "pids", "cpu"]),
      (error: unknown) =>
        reasonOf(error) === `its group "/a/b" ${state}; systemd grants them with Delegate=yes`,
    );
  });
}

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

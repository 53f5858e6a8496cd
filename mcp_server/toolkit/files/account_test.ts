import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import type { CommandRunner, CommandSpec } from "../../tool/command.ts";
import { BusyError, ToolError } from "../../shared/error.ts";
import { resolveAccount } from "./account.ts";

const { signal } = new AbortController();

/** A runner that answers as getent would, and records its requests. */
function getent(stdout: string, more: { timedOut?: boolean; error?: Error } = {}) {
  const asked: CommandSpec[] = [];
  const commands: CommandRunner = {
    run: (spec) => {
      asked.push(spec);
      if (more.error !== undefined) return Promise.reject(more.error);
      const { timedOut = false } = more;
      return Promise.resolve({ stdout, stderr: "", exitCode: stdout === "" ? 2 : 0, timedOut });
    },
  };
  return { asked, commands, signal };
}

const code = (code: string) => (error: unknown) =>
  error instanceof ToolError && error.code === code;

Deno.test("resolveAccount() accepts numbers without a look-up", async (t) => {
  const cases: [account: string | number, id: number][] = [
    [0, 0],
    ["0", 0],
    ["007", 7],
    [99_999, 99_999],
    [4_294_967_294, 4_294_967_294],
  ];
  for (const [account, id] of cases) {
    await t.step(String(account), async () => {
      const lookup = getent("");
      strictEqual(await resolveAccount("user", account, lookup), id);
      deepStrictEqual(lookup.asked, []);
    });
  }
});

Deno.test("resolveAccount() finds local names without a command", async () => {
  const lookup = getent("");
  strictEqual(await resolveAccount("user", "root", lookup), 0);
  strictEqual(await resolveAccount("group", "root", lookup), 0);
  deepStrictEqual(lookup.asked, []);
});

Deno.test("resolveAccount() uses getent for the names of other sources", async () => {
  const lookup = getent("ada@corp:*:70001:70002:Ada:/home/ada:/bin/sh\n");
  strictEqual(await resolveAccount("user", "ada@corp", lookup), 70_001);
  const [spec] = lookup.asked;
  deepStrictEqual([spec?.program, spec?.args], ["getent", ["passwd", "--", "ada@corp"]]);
  strictEqual(
    await resolveAccount("group", "staff@corp", getent("staff@corp:*:70003:ada\n")),
    70_003,
  );
});

Deno.test("resolveAccount() rejects names that don't exist", async (t) => {
  const root = "root:x:0:0:root:/root:/bin/sh\n";
  const names = [
    "nobody-at-all",
    "",
    "+0",
    "-0",
    " 0",
    "0x0",
    "1.5",
    "root ",
    "ROOT",
    "root:x",
    "a\nb",
  ];
  for (const name of [...names, "4294967295", "99999999999999999999", "__proto__", "-h"]) {
    await t.step(JSON.stringify(name), async () => {
      await rejects(resolveAccount("user", name, getent(root)), code("UNKNOWN_USER"));
      await rejects(resolveAccount("group", name, getent(root)), code("UNKNOWN_GROUP"));
    });
  }
});

Deno.test("resolveAccount() works without getent", async () => {
  const lookup = getent("", { error: new ToolError("Cannot run getent", { code: "NO_PROGRAM" }) });
  await rejects(resolveAccount("user", "nobody-at-all", lookup), code("UNKNOWN_USER"));
});

Deno.test("resolveAccount() passes on what stops the look-up", async () => {
  const busy = new BusyError("Cannot run: busy", 1);
  await rejects(resolveAccount("user", "ada", getent("", { error: busy })), busy);
  const aborted = new DOMException("stopped", "AbortError");
  await rejects(resolveAccount("user", "ada", getent("", { error: aborted })), aborted);
  await rejects(
    resolveAccount("user", "ada", getent("", { timedOut: true })),
    code("LOOKUP_TIMED_OUT"),
  );
});

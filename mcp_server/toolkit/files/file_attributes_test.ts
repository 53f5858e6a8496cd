import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import { isWholeRun } from "../../../test_support/tier.ts";
import type { CommandRunner, CommandSpec } from "../../tool/command.ts";
import { BusyError, ToolError } from "../../shared/error.ts";
import { parseFileMode, resolveAccount } from "./file_attributes.ts";

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

/** A clause for each combination that matters, in addition to pairs of them. */
const CLAUSES = [
  ...[
    "u+x",
    "go-w",
    "a=r",
    "+x",
    "=r",
    "+w",
    "-w",
    "=",
    "o=",
    "ug=rw",
    "uo+rwx",
    "a+X",
    "u=X",
    "-X",
  ],
  ...["u+s", "g+s", "+s", "o+s", "a-s", "u=s", "+t", "o+t", "u+t", "a=rwxst", "-t", "g=u", "o=g"],
  ...["u+o", "+u", "=g", "a-o", "u+r-w", "g=u-w+X", "o=rX-r", "ugoa+r", "uu+x", "u=rr"],
];
const MODES = [0o000, 0o644, 0o640, 0o755, 0o111, 0o4755, 0o2711, 0o1777, 0o7777, 0o421];

const format = (mode: number) => mode.toString(8).padStart(4, "0");

Deno.test("parseFileMode() uses octal modes unchanged", async (t) => {
  const cases: [text: string, mode: number][] = [
    ["644", 0o644],
    ["0644", 0o644],
    ["4755", 0o4755],
    ["07777", 0o7777],
    ["000", 0],
  ];
  for (const [text, mode] of cases) {
    await t.step(text, () => strictEqual(parseFileMode(text)(0o7123, 0o022), mode));
  }
});

Deno.test("parseFileMode() changes a mode by clauses", async (t) => {
  const cases: [before: number, text: string, umask: number, after: number][] = [
    [0o664, "u+x,go-w", 0o022, 0o744],
    [0o644, "a=rX", 0o022, 0o444],
    [0o744, "a=rX", 0o022, 0o555],
    [0o000, "+w", 0o022, 0o200],
    [0o000, "a+w", 0o022, 0o222],
    [0o4755, "u=rwx", 0o022, 0o755],
    [0o640, "o=g", 0o022, 0o644],
    [0o755, "ug+s,o+t", 0o022, 0o7755],
    [0o100644, "u+x", 0o022, 0o744],
  ];
  for (const [before, text, umask, after] of cases) {
    await t.step(`${format(before)} ${text}`, () => {
      strictEqual(format(parseFileMode(text)(before, umask)), format(after));
    });
  }
});

Deno.test("parseFileMode() rejects every other text", async (t) => {
  const texts = [
    ...[
      "",
      "9",
      "7",
      "64",
      "0999",
      "0o644",
      "644 ",
      " 644",
      "77777",
      "100644",
      "-1",
      "+644",
      "1e3",
    ],
    ...[
      "rwx",
      "rw-r--r--",
      "u",
      "u+",
      "g-",
      "u+y",
      "x+r",
      "u+x,",
      ",u+x",
      "u+x,,g+x",
      "u+ugo",
      "u+ur",
    ],
    ...["u + x", "U+X", "u+x;g+x", "u+x\n", "u+x\0", "u~x", "٦٤٤", "u+x g+x"],
  ];
  for (const text of texts) {
    await t.step(JSON.stringify(text), () => {
      throws(() => parseFileMode(text), (error: unknown) => {
        return error instanceof ToolError && error.code === "INVALID_MODE" &&
          error.message.startsWith(`Cannot use chmod ${JSON.stringify(text)}: it is neither octal`);
      });
    });
  }
});

Deno.test("parseFileMode() agrees with the chmod program", async () => {
  const path = await Deno.makeTempFile();
  const all = [...CLAUSES, ...CLAUSES.map((clause, at) => `${clause},${CLAUSES.at(at - 7)}`)];
  // In a run of every day, a third: each starts two programs for each mode.
  const texts = all.filter((_, at) => isWholeRun || at % 3 === 0);
  const pairs = texts.flatMap((text) => MODES.map((mode) => ({ text, mode })));
  const script = pairs.map(({ text, mode }, at) => {
    const mask = at % 2 === 0 ? "022" : "027";
    return `chmod ${
      format(mode)
    } "$1"; umask ${mask}; chmod -- ${text} "$1" 2>/dev/null; stat -c %04a "$1"`;
  });
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script.join("\n"), "sh", path] })
    .output();
  await Deno.remove(path);
  const answers = new TextDecoder().decode(stdout).trim().split("\n");
  strictEqual(answers.length, pairs.length);
  for (const [at, { text, mode }] of pairs.entries()) {
    const ours = format(parseFileMode(text)(mode, at % 2 === 0 ? 0o022 : 0o027));
    strictEqual(ours, answers[at]?.padStart(4, "0"), `${format(mode)} ${text}`);
  }
});

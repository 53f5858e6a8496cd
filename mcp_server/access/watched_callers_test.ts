import * as fc from "fast-check";
import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createHash, timingSafeEqual } from "node:crypto";
import { requires } from "../../test_support/services.ts";
import { createTempFolder, type TempFolder } from "../../test_support/temp_folder.ts";
import { within } from "../shared/concurrency.ts";
import { bearerOf, callersText, tokenOf, writeCallers } from "../testing/callers_file.ts";
import { createHangingMount } from "../testing/hanging_mount.ts";
import { needsRoot } from "../testing/needs_root.ts";
import { createTestLog } from "../testing/test_runner.ts";
import { CODES } from "../http/problem.ts";
import { createTokenCheck } from "./token_check.ts";
import { equalDigests, WatchedCallers } from "./watched_callers.ts";
import { stampOf } from "./watched_file.ts";

/** Longer than any test: it looks at the file itself. */
const NEVER_MS = 86_400_000;

async function open(path: string) {
  const log = createTestLog();
  const callers = await WatchedCallers.open(path, { log, everyMs: NEVER_MS });
  log.lines.splice(0);
  const identify = createTokenCheck([], callers);
  return {
    callers,
    log,
    /** The tools of a caller, or the status of its refusal. */
    toolsOf: (name: string) => {
      const identity = identify(bearerOf(name).authorization);
      return identity.ok ? identity.caller.rights?.tools : CODES[identity.code].status;
    },
    [Symbol.dispose]: () => callers[Symbol.dispose](),
  };
}

Deno.test("WatchedCallers takes over what is added, changed and removed, and revokes the latter", async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, {
    ci: { tools: ["echo"] },
    bob: { tools: ["*"], subject: "bob-1" },
    eve: {},
  });
  using file = await open(path);
  const { callers, log, toolsOf } = file;
  const [ci, bob, eve] = ["ci", "bob", "eve"].map((name) =>
    callers.findByDigest(createHash("sha256").update(tokenOf(name)).digest())
  );
  strictEqual(callers.findBySubject("bob-1"), bob);
  strictEqual(callers.findBySubject("bob-2"), undefined);
  await writeCallers(folder.path, { bob: { tools: [] }, ci: { tools: ["echo"] }, new: {} });
  await callers.check();
  deepStrictEqual(["ci", "bob", "eve", "new"].map(toolsOf), [["echo"], [], 401, []]);
  strictEqual(callers.findBySubject("bob-1"), undefined);
  const revoked = [ci, bob, eve].map((holder) => holder?.revoked?.aborted);
  deepStrictEqual(revoked, [false, true, true]);
  deepStrictEqual(log.lines, [{
    level: "info",
    message: "callers file read",
    fields: { file: path, added: ["new"], changed: ["bob"], removed: ["eve"] },
  }]);
  await callers.check();
  strictEqual(log.lines.length, 1);
});

/** How files are replaced in practice. */
const WAYS: Readonly<Record<string, (folder: TempFolder, text: string) => Promise<void>>> = {
  "is written in place": async ({ path }, text) => {
    await Deno.writeTextFile(`${path}/callers.json`, text);
  },
  "is renamed into its place": async ({ path }, text) => {
    await Deno.writeTextFile(`${path}/new`, text, { mode: 0o600 });
    await Deno.rename(`${path}/new`, `${path}/callers.json`);
  },
  "is removed and created again": async ({ path }, text) => {
    await Deno.remove(`${path}/callers.json`);
    await Deno.writeTextFile(`${path}/callers.json`, text, { mode: 0o600 });
  },
  "is a link of a Kubernetes secret": async ({ path }, text) => {
    const version = await Deno.makeTempDir({ dir: path });
    await Deno.writeTextFile(`${version}/callers.json`, text, { mode: 0o400 });
    await Deno.symlink(version, `${path}/..data_tmp`);
    await Deno.rename(`${path}/..data_tmp`, `${path}/..data`);
    await Deno.remove(`${path}/callers.json`);
    await Deno.symlink("..data/callers.json", `${path}/callers.json`);
  },
};

for (const [way, replace] of Object.entries(WAYS)) {
  Deno.test(`WatchedCallers sees each of many quick versions of a file that ${way}`, async () => {
    await using folder = await createTempFolder();
    using file = await open(await writeCallers(folder.path, { ci: { tools: ["v0"] } }));
    for (let version = 1; version <= 20; version++) {
      await replace(folder, callersText({ ci: { tools: [`v${version % 10}`] } }));
      await file.callers.check();
      deepStrictEqual(file.toolsOf("ci"), [`v${version % 10}`]);
    }
  });
}

Deno.test("WatchedCallers keeps the last good version of a broken file, and reports it once", async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, { ci: { tools: ["echo"] } });
  using file = await open(path);
  const { callers, log, toolsOf } = file;
  const breaks: readonly [() => Promise<void>, RegExp][] = [
    [() => Deno.writeTextFile(path, '{"callers": {'), /^it is not JSON$/],
    [() => Deno.writeTextFile(path, callersText({ ci: { tols: [] } })), /unknown key "tols"/],
    [() => Deno.remove(path), /No such file|ENOENT/],
    [() => Deno.mkdir(path), /^it is not a regular file$/],
  ];
  for (const [at, [damage, reason]] of breaks.entries()) {
    await damage();
    await callers.check();
    await callers.check();
    deepStrictEqual(toolsOf("ci"), ["echo"]);
    strictEqual(log.lines.length, at + 1);
    const { level, fields = {} } = log.lines.at(-1) ?? {};
    strictEqual(level, "error");
    match("reason" in fields ? String(fields.reason) : "", reason);
  }
  await Deno.remove(path);
  await writeCallers(folder.path, { ci: { tools: ["echo"] } });
  await callers.check();
  strictEqual(log.lines.at(-1)?.level, "info");
});

const UNUSABLE: readonly [name: string, prepare: (path: string) => Promise<unknown>, RegExp][] = [
  ["that is missing", (path) => Deno.remove(path), /ENOENT/],
  ["that its group can read", (path) => Deno.chmod(path, 0o640), /mode is 0640; chmod 600 it$/],
  ["that others can write", (path) => Deno.chmod(path, 0o602), /mode is 0602; chmod 600 it$/],
  [
    "behind a link to one that others can read",
    async (path) => {
      await Deno.rename(path, `${path}.real`);
      await Deno.chmod(`${path}.real`, 0o644);
      await Deno.symlink(`${path}.real`, path);
    },
    /mode is 0644/,
  ],
  [
    "that is a FIFO",
    async (path) => {
      await Deno.remove(path);
      await new Deno.Command("mkfifo", { args: ["-m", "600", path] }).output();
    },
    /^it is not a regular file$/,
  ],
  [
    "of more than 1 MiB",
    (path) => Deno.writeTextFile(path, " ".repeat(1024 * 1024 + 1)),
    /^it has more than 1048576 bytes$/,
  ],
  ["that is not UTF-8", (path) => Deno.writeFile(path, new Uint8Array([0xff])), /not UTF-8/],
];

for (const [name, prepare, message] of UNUSABLE) {
  Deno.test(`WatchedCallers rejects a file ${name}`, async () => {
    await using folder = await createTempFolder();
    const path = await writeCallers(folder.path, { ci: {} });
    await prepare(path);
    await rejects(open(path), { name: "AccessFileError", reason: message });
  });
}

Deno.test(...needsRoot("WatchedCallers rejects the file of another user"), async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, { ci: {} });
  await Deno.chown(path, 65_534, 65_534);
  await rejects(open(path), { reason: /^it belongs to user 65534, and not to the user of/ });
});

/** More than the threads that a process has for its file operations. */
const LOOKS = 100;

const [name, { ignore }] = needsRoot("stampOf() takes one thread while the file system hangs");
const required = requires("sshfs", name);

Deno.test({
  ...required,
  ignore: ignore || required.ignore,
  fn: async () => {
    await using mount = await createHangingMount();
    const path = `${mount.path}/callers.json`;
    await Deno.writeTextFile(path, "{}");
    mount.hang();
    const looks = Array.from({ length: LOOKS }, () => stampOf(path).catch(() => undefined));
    const isFree = await within(Deno.stat(mount.source), 20_000);
    mount.resume();
    await Promise.all(looks);
    strictEqual(isFree, true);
  },
});

const Digest = fc.uint8Array({ minLength: 32, maxLength: 32 });

Deno.test("equalDigests() says what timingSafeEqual() does, also of digests that differ in one bit", () => {
  fc.assert(fc.property(Digest, Digest, fc.nat(255), (one, other, bit) => {
    strictEqual(equalDigests(one, one.slice()), true);
    strictEqual(equalDigests(one, other), timingSafeEqual(one, other));
    const close = one.map((byte, at) => at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte);
    strictEqual(equalDigests(one, close), false);
  }));
});

Deno.test("equalDigests() tells digests of another length apart", () => {
  for (const length of [0, 31, 33]) {
    strictEqual(equalDigests(new Uint8Array(32), new Uint8Array(length)), false);
    strictEqual(equalDigests(new Uint8Array(length), new Uint8Array(32)), false);
  }
});

import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { writeSecrets } from "../testing/secrets_file.ts";
import { createTestLog } from "../testing/test_runner.ts";
import { type Caller, DEFAULT_CALLER, type Rights } from "./caller.ts";
import { NO_SECRETS } from "./caller_secrets.ts";
import { WatchedSecrets } from "./watched_secrets.ts";

/** Longer than any test: it looks at the file itself. */
const NEVER_MS = 86_400_000;
const SECRETS = { NPM_TOKEN: "npm-12345678", NPM_OTHER: "other-12345678", AWS_KEY: "aws-12345678" };

async function open(path: string) {
  const log = createTestLog();
  const secrets = await WatchedSecrets.open(path, { log, everyMs: NEVER_MS });
  log.lines.splice(0);
  return { secrets, log, [Symbol.dispose]: () => secrets[Symbol.dispose]() };
}

function callerOf(rights: Partial<Rights>, scopes?: readonly string[]): Caller {
  const none = { tools: [], hosts: [], databases: {}, paths: [], admin: false };
  return { name: "ci", rights: { ...none, ...rights }, ...(scopes && { scopes }) };
}

const CALLERS: readonly [what: string, caller: Caller, names: readonly string[]][] = [
  ["the default caller", DEFAULT_CALLER, Object.keys(SECRETS)],
  ["an administrator", callerOf({ admin: true }), Object.keys(SECRETS)],
  ["a caller with a pattern", callerOf({ secrets: ["NPM_*"] }), ["NPM_TOKEN", "NPM_OTHER"]],
  ["a caller with names", callerOf({ secrets: ["AWS_KEY", "GONE"] }), ["AWS_KEY"]],
  ["a caller without the right", callerOf({}), []],
  ["an administrator whose token is none", callerOf({ admin: true }, ["tools:exec"]), []],
  ["a subject without a callers file", { name: "bob", scopes: ["tools:exec"] }, []],
  ["one that has the scope admin", { name: "bob", scopes: ["admin"] }, Object.keys(SECRETS)],
  ["a caller of an embedding program", { name: "bob" }, []],
];

for (const [what, caller, names] of CALLERS) {
  Deno.test(`WatchedSecrets gives ${what} its secrets, and masks those alone`, async () => {
    await using folder = await createTempFolder();
    using file = await open(await writeSecrets(folder.path, SECRETS));
    const own = file.secrets.of(caller);
    deepStrictEqual(own.names, names);
    strictEqual(file.secrets.of(caller), own);
    for (const [name, value] of Object.entries(SECRETS)) {
      const shown = own.mask?.text(`<${value}>`) ?? `<${value}>`;
      strictEqual(shown, names.includes(name) ? `<[${name}]>` : `<${value}>`);
      if (names.includes(name)) deepStrictEqual(own.env([name]), { [name]: value });
      else throws(() => own.env([name]), { name: "NotAllowedError", code: "NOT_ALLOWED" });
    }
  });
}

Deno.test("CallerSecrets names what may be used, and not whether there is more", async () => {
  await using folder = await createTempFolder();
  using file = await open(await writeSecrets(folder.path, SECRETS));
  const own = file.secrets.of(callerOf({ secrets: ["NPM_*"] }));
  for (const name of ["AWS_KEY", "UNKNOWN"]) {
    throws(() => own.env(["NPM_TOKEN", name]), {
      message: `Cannot use the secret "${name}": the caller may use NPM_TOKEN, NPM_OTHER`,
    });
  }
  throws(() => file.secrets.of(callerOf({})).env(["AWS_KEY"]), {
    message: 'Cannot use the secret "AWS_KEY": the caller may use none',
  });
  throws(() => NO_SECRETS.env(["AWS_KEY"]), {
    message:
      'Cannot use the secret "AWS_KEY": the server has none, they are set by MCP_SECRETS_FILE',
  });
  throws(() => own.env(["NPM_TOKEN"], { NPM_TOKEN: "mine" }), {
    name: "ArgumentsError",
    message: 'Cannot use the secret "NPM_TOKEN": "env" has a variable of that name too',
  });
});

Deno.test("WatchedSecrets takes over a new version, and a call keeps the one it began with", async () => {
  await using folder = await createTempFolder();
  using file = await open(await writeSecrets(folder.path, SECRETS));
  const { secrets, log } = file;
  const caller = callerOf({ secrets: ["NPM_*"] });
  const before = secrets.of(caller);
  const path = await writeSecrets(folder.path, { NPM_TOKEN: "new-12345678", NPM_NEW: "12345678" });
  await secrets.check();
  deepStrictEqual(secrets.of(caller).env(["NPM_TOKEN", "NPM_NEW"]), {
    NPM_TOKEN: "new-12345678",
    NPM_NEW: "12345678",
  });
  deepStrictEqual(before.env(["NPM_TOKEN"]), { NPM_TOKEN: "npm-12345678" });
  strictEqual(before.mask?.text("npm-12345678"), "[NPM_TOKEN]");
  deepStrictEqual(log.lines, [{
    level: "info",
    message: "secrets file read",
    fields: {
      file: path,
      added: ["NPM_NEW"],
      changed: ["NPM_TOKEN"],
      removed: ["NPM_OTHER", "AWS_KEY"],
    },
  }]);
});

Deno.test("WatchedSecrets keeps the last good version of a broken file, and reports it once", async () => {
  await using folder = await createTempFolder();
  const path = await writeSecrets(folder.path, SECRETS);
  using file = await open(path);
  const { secrets, log } = file;
  const breaks: readonly [() => Promise<void>, RegExp][] = [
    [() => Deno.writeTextFile(path, '{"secrets": {"NPM_TOKEN": "npm-'), /^it is not JSON$/],
    [() => Deno.writeTextFile(path, '{"secrets": {"A": "1"}}'), /^the secret "A" must have at/],
    [() => Deno.chmod(path, 0o640), /mode is 0640; chmod 600 it$/],
    [() => Deno.remove(path), /ENOENT/],
  ];
  for (const [at, [damage, reason]] of breaks.entries()) {
    await damage();
    await secrets.check();
    await secrets.check();
    deepStrictEqual(secrets.all.env(["AWS_KEY"]), { AWS_KEY: "aws-12345678" });
    strictEqual(log.lines.length, at + 1);
    const { level, message, fields = {} } = log.lines.at(-1) ?? {};
    deepStrictEqual([level, message], [
      "error",
      "the secrets file can't be used; its last version counts",
    ]);
    match("reason" in fields ? String(fields.reason) : "", reason);
  }
  await rejects(WatchedSecrets.open(path, { log, everyMs: NEVER_MS }), { name: "AccessFileError" });
});

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { outputOf, refusalOf, registerTool } from "../mcp_server/testing/call_tool.ts";
import { createSshTool, type SshCallOptions } from "../mcp_server/testing/ssh_tool.ts";
import { childrenOf } from "../mcp_server/testing/processes.ts";
import { createUser, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import { modeOf, namesIn } from "../mcp_server/testing/write_tool.ts";
import type { HostCopy } from "../mcp_server/toolkit.ts";
import { mountTmpfs } from "../test_support/temp_folder.ts";
import register from "./ssh-copy.ts";

/** A host with a user, in whose home folder the copies are, and a folder of the server. */
async function startHost(config = "Subsystem sftp internal-sftp", limits = {}) {
  await using stack = new AsyncDisposableStack();
  const sshd = stack.use(await startSshd(config));
  const [home, local] = [`${sshd.folder}/user`, `${sshd.folder}/local`];
  for (const folder of [home, local]) await Deno.mkdir(folder);
  await Deno.chmod(home, 0o777);
  const { name: username } = stack.use(await createUser("/bin/sh", home));
  const tool = stack.use(await createSshTool(register, { HOME: sshd.home }, limits));
  const owned = stack.move();
  const at = (...hosts: string[]) =>
    (hosts.length === 0 ? [sshd.host] : hosts).map((host) => ({ host, username }));
  const copy = async (args: object, options?: SshCallOptions) => {
    const { results } = outputOf(await tool.call({ connections: at(), ...args }, options));
    return results as HostCopy[];
  };
  const [up, down] = [{ direction: "up" }, { direction: "down" }];
  return {
    ...{ sshd, host: sshd.host, username, home, local, tool, copy, at, up, down },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Bytes that differ from each other in every piece. */
function someBytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, at) => (at * 31 + (at >> 12)) & 0xff);
}

/** Bytes of a large file that is copied to its end: many windows of the protocol. */
const WHOLE = 40_000_000;

async function untilThere(folder: string, name: RegExp): Promise<void> {
  for (const latest = performance.now() + 20_000; performance.now() < latest;) {
    if (namesIn(folder).some((each) => name.test(each))) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`Cannot find ${name} in ${namesIn(folder)}`);
}

Deno.test("ssh-copy is described in less than 1 kB", async () => {
  const { definition } = await registerTool(register, "ssh-copy");
  const { length } = JSON.stringify({ ...definition, icons: undefined });
  ok(length < 1_000, `${length}`);
});

Deno.test({
  ...requiresSshd("ssh-copy copies a file to hosts and back, with its mode"),
  fn: async () => {
    await using server = await startHost();
    const { sshd, host, username, home, local, copy, at, up, down } = server;
    const bytes = someBytes(300_001);
    const { length } = bytes;
    const from = `${local}/-a 'b'\n"é"`;
    await Deno.writeFile(from, bytes);
    await Deno.chmod(from, 0o4751);
    const made = { bytes: length, sha256: sha256(bytes) };
    const there = `${home}/-it's\n"there"`;
    const expected = { host, username, path: there, ...made };
    deepStrictEqual(await copy({ ...up, from, to: `~/-it's\n"there"` }), [expected]);
    deepStrictEqual(new Uint8Array(await Deno.readFile(there)), bytes);
    strictEqual(modeOf(there), "0751");
    const [back] = await copy({ ...down, from: there, to: `${local}/back` });
    deepStrictEqual(back, { host, username, path: `${local}/back`, ...made });
    deepStrictEqual(new Uint8Array(await Deno.readFile(`${local}/back`)), bytes);
    strictEqual(modeOf(`${local}/back`), "0751");
    const second = `127.0.0.2:${sshd.port}`;
    const several = at(host, second);
    const copies = await copy({ ...down, from: there, to: `${local}/all/`, connections: several });
    const name = there.slice(home.length + 1);
    deepStrictEqual(copies.map(({ path }) => path), [
      `${local}/all/${host}/${name}`,
      `${local}/all/${second}/${name}`,
    ]);
    await Deno.writeFile(from, new Uint8Array());
    deepStrictEqual((await copy({ ...up, from, to: there })).map(({ bytes }) => bytes), [0]);
    strictEqual((await Deno.stat(there)).size, 0);
    deepStrictEqual([namesIn(home), namesIn(local).length], [[name], 3]);
  },
});

Deno.test({
  ...requiresSshd("ssh-copy replaces what a link leads to, and keeps its owner"),
  fn: async () => {
    await using server = await startHost();
    const { host, home, local, copy, up, down } = server;
    await Deno.writeTextFile(`${local}/new`, "new");
    await Deno.writeTextFile(`${home}/old`, "old");
    await Deno.chown(`${home}/old`, 1, 1);
    await Deno.symlink("old", `${home}/link`);
    const [{ path } = {}] = await copy({
      ...up,
      from: `${local}/new`,
      to: `${home}/link`,
      connections: [{ host, username: "root" }],
    });
    strictEqual(path, `${home}/old`);
    const { uid, gid } = await Deno.stat(`${home}/old`);
    deepStrictEqual([uid, gid, await Deno.readTextFile(`${home}/old`)], [1, 1, "new"]);
    await Deno.writeTextFile(`${local}/old`, "old");
    await Deno.symlink("old", `${local}/link`);
    await copy({ ...down, from: `${home}/link`, to: `${local}/link` });
    ok(Deno.lstatSync(`${local}/link`).isSymlink);
    strictEqual(await Deno.readTextFile(`${local}/old`), "new");
  },
});

Deno.test({
  ...requiresSshd("ssh-copy refuses what it can't copy, and leaves nothing"),
  fn: async (t) => {
    await using server = await startHost(undefined, { maxCopyBytes: 10_000 });
    const { sshd, username, home, local, tool, copy, at, up, down } = server;
    await using full = await mountTmpfs("size=8k,mode=0777");
    await using readOnly = await mountTmpfs("ro");
    const from = `${local}/small`;
    await Deno.writeFile(from, someBytes(9_000));
    await Deno.writeFile(`${local}/large`, someBytes(10_001));
    await Deno.mkdir(`${home}/folder`);
    await Deno.writeFile(`${home}/large`, someBytes(10_001));
    await Deno.writeFile(`${home}/nine`, someBytes(9_000));
    await Deno.writeTextFile(`${home}/protected`, "protected");
    await Deno.chmod(`${home}/protected`, 0o444);
    await new Deno.Command("mkfifo", { args: [`${home}/fifo`] }).output();
    const before = [home, local].map(namesIn);
    const to = `${local}/to`;
    const cases: [args: object, message: RegExp][] = [
      [{ ...up, from, to: "~" }, /names a folder; add/],
      [{ ...up, from, to: `${home}/folder` }, /it is a folder; add/],
      [{ ...up, from, to: `${home}/fifo` }, /not a regular file/],
      [{ ...up, from, to: "missing/file" }, /its folder does not exist; make it with ssh-exec/],
      [{ ...up, from, to: `${home}/protected` }, /has no permission/],
      [{ ...up, from, to: "/etc/trestle-test" }, /has no permission/],
      [{ ...up, from, to: `${full.path}/file` }, /no space is left/],
      [{ ...up, from, to: `${readOnly.path}/file` }, /read-only|no permission/],
      [{ ...down, from: "folder", to }, /it is a folder; pack it with tar, by ssh-exec/],
      [{ ...down, from: "fifo", to }, /not a regular file/],
      [{ ...down, from: "missing", to }, /^Cannot read "missing" on ".+": it does not exist/],
      [{ ...down, from: "large", to }, /more than 10000 bytes/],
      [{ ...down, from: "nine", to: local }, /it is a folder/],
      [{ ...down, from: "nine", to: `${full.path}/file` }, /no space is left/],
      [{ ...down, from: "nine", to: `${readOnly.path}/file` }, /read-only/],
      [{ ...down, from: "/dev/zero", to }, /not a regular file/],
    ];
    for (const [args, expected] of cases) {
      await t.step(JSON.stringify(args), async () => {
        const [{ error, ...rest } = { host: "" }] = await copy(args);
        deepStrictEqual([error?.phase, rest], ["copy", { host: sshd.host, username }]);
        match(error?.message ?? "", expected);
      });
    }
    const refused: [args: object, code: string][] = [
      [{ ...up, from: local, to: "x" }, "NOT_A_FILE"],
      [{ ...up, from: `${local}/large`, to: "x" }, "TOO_LARGE"],
      [{ ...up, from: `${local}/missing`, to: "x" }, "NOT_FOUND"],
      [{ ...down, from: "x", to: local, connections: at("a", "a") }, "INVALID_ARGUMENTS"],
    ];
    for (const [args, code] of refused) {
      strictEqual(refusalOf(await tool.call({ connections: at(), ...args })).code, code);
    }
    deepStrictEqual([home, local].map(namesIn), before);
    deepStrictEqual([namesIn(full.path), await Deno.readTextFile(`${home}/protected`)], [
      [],
      "protected",
    ]);
  },
});

Deno.test({
  ...requiresSshd("ssh-copy says that a host has no SFTP"),
  fn: async () => {
    await using without = await startHost("");
    const { local, copy, up } = without;
    await Deno.writeTextFile(`${local}/a`, "a");
    const [{ error } = {}] = await copy({ ...up, from: `${local}/a`, to: "a" });
    strictEqual(error?.phase, "copy");
    match(error?.message ?? "", /^Cannot use SFTP on ".+": .*sftp/i);
  },
});

Deno.test({
  ...requiresSshd("ssh-copy leaves nothing of a large file that is cancelled, late, or cut off"),
  fn: async (t) => {
    await using server = await startHost();
    const { sshd, home, local, tool, copy, at, up, down } = server;
    const asRoot = { connections: [{ host: sshd.host, username: "root" }] };
    for (const path of [`${local}/big`, `${home}/big`]) {
      await Deno.writeFile(path, new Uint8Array());
      await Deno.truncate(path, 200_000_000);
    }
    for (
      const [args, folder] of [
        [{ ...up, ...asRoot, from: `${local}/big`, to: `${home}/target` }, home],
        [{ ...down, from: "big", to: `${local}/target` }, local],
      ] as const
    ) {
      await Deno.writeTextFile(`${folder}/target`, "old");
      const isClean = async () => {
        for (const latest = performance.now() + 10_000; performance.now() < latest;) {
          if (namesIn(folder).length === 2) break;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        deepStrictEqual(namesIn(folder).toSorted(), ["big", "target"]);
        strictEqual(await Deno.readTextFile(`${folder}/target`), "old");
      };
      await t.step(`${args.direction}, cancelled`, async () => {
        const stop = new AbortController();
        const call = tool.call({ connections: at(), ...args }, { signal: stop.signal });
        await untilThere(folder, /\.tmp$/);
        stop.abort(new Error("enough"));
        strictEqual(refusalOf(await call).code, "CANCELLED");
        await isClean();
      });
      await t.step(`${args.direction}, late`, async () => {
        const [{ error } = {}] = await copy({ ...args, timeoutMs: 300 });
        match(error?.message ?? "", /it took more than 300 ms/);
        await isClean();
      });
      await t.step(`${args.direction}, cut off`, async () => {
        const call = copy({ ...args, timeoutMs: 100_000 });
        await untilThere(folder, /\.tmp$/);
        const monitors = await sshd.connections();
        const processes = (await Promise.all(monitors.map(childrenOf))).flat();
        for (const pid of [...monitors, ...processes]) Deno.kill(pid, "SIGKILL");
        const [{ error } = {}] = await call;
        strictEqual(error?.phase, "copy");
        match(error?.message ?? "", /the connection was lost|the host ended SFTP/);
        await isClean();
      });
    }
    const from = `${local}/big`;
    await Deno.chown(`${home}/target`, 0, 0);
    await Deno.chmod(`${home}/target`, 0o666);
    const [kept] = await copy({ ...up, from, to: "target" });
    match(kept?.error?.message ?? "", /the user can't keep its owner 0 and group 0/);
    await Deno.remove(`${home}/target`);
    await Deno.truncate(from, WHOLE);
    const [whole] = await copy({ ...up, from, to: "target", timeoutMs: 200_000 });
    deepStrictEqual([whole?.error, whole?.bytes, whole?.sha256], [
      undefined,
      WHOLE,
      sha256(new Uint8Array(WHOLE)),
    ]);
  },
});

Deno.test({
  ...requiresSshd("ssh-copy copies nothing outside of the caller's paths and hosts"),
  fn: async () => {
    await using server = await startHost();
    const { sshd, home, local, tool, at, up, down } = server;
    await Deno.writeTextFile(`${local}/secret`, "secret");
    await Deno.mkdir(`${local}/open`);
    await Deno.writeTextFile(`${local}/open/a`, "a");
    await Deno.symlink(`${local}/secret`, `${local}/open/link`);
    await Deno.symlink(`${local}`, `${local}/open/out`);
    await Deno.writeTextFile(`${home}/b`, "b");
    const caller = boundedCaller({ paths: [`${local}/open/**`], hosts: ["127.0.0.1"] });
    const call = (args: object) => tool.call({ connections: at(), ...args }, { caller });
    const outside: object[] = [
      { ...up, from: `${local}/secret`, to: "x" },
      { ...up, from: `${local}/open/link`, to: "x" },
      { ...up, from: `${local}/missing`, to: "x" },
      { ...up, from: `${local}/open/a`, to: "x", connections: at(`127.0.0.2:${sshd.port}`) },
      { ...down, from: "b", to: `${local}/b` },
      { ...down, from: "b", to: `${local}/open/out/b` },
      { ...down, from: "b", to: `${local}/new/folder/b` },
    ];
    for (const args of outside) {
      strictEqual(refusalOf(await call(args)).code, "NOT_ALLOWED", JSON.stringify(args));
    }
    deepStrictEqual(await sshd.connections(), []);
    const results = [
      await call({ ...up, from: `${local}/open/a`, to: "c" }),
      await call({ ...down, from: "b", to: `${local}/open/b` }),
    ].flatMap((outcome) => outputOf(outcome).results as HostCopy[]);
    deepStrictEqual(results.map(({ error }) => error), [undefined, undefined]);
    strictEqual(await Deno.readTextFile(`${home}/c`), "a");
    strictEqual(await Deno.readTextFile(`${local}/open/b`), "b");
    deepStrictEqual(namesIn(local).toSorted(), ["open", "secret"]);
  },
});

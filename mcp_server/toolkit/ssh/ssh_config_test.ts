import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { userInfo } from "node:os";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { ToolError } from "../../shared/error.ts";
import type { CommandRunner } from "../../tool/command.ts";
import { createTestRunner, findByMark } from "../../testing/test_runner.ts";
import { SshError } from "./ssh2.ts";
import { SshConfig } from "./ssh_config.ts";
import { accountName, createConfig } from "../../testing/ssh_tool.ts";

const { signal } = new AbortController();
const inOpenSsh = (name: string) => requires("sshd", name);

/** Without a client of OpenSSH. */
const NO_SSH: CommandRunner = {
  run: () => Promise.reject(new ToolError("Cannot run it", { code: "PROGRAM_NOT_FOUND" })),
};

Deno.test(
  inOpenSsh("SshConfig reads Include, Match exec and lists of algorithms with OpenSSH"),
  async () => {
    await using given = await createConfig("");
    const { home } = given;
    await Deno.writeTextFile(
      `${home}/.ssh/more`,
      `
Match exec "test %h = inner"
  Port 2201
Host inner
  Ciphers ^aes256-ctr
  KexAlgorithms +diffie-hellman-group1-sha1
  HostKeyAlgorithms ssh-ed25519,ssh-ed25519-cert-v01@openssh.com
  MACs hmac-sha2-512
Host none
  Ciphers 3des-cbc,arcfour
`.replace(",arcfour", ""),
    );
    await Deno.writeTextFile(`${home}/.ssh/config`, `Include ${home}/.ssh/mo*\n`);
    await using runner = createTestRunner();
    using commands = runner.pool.forCall();
    const lookup = given.config.forCall({ commands, signal });
    const { port, settings: { algorithms } } = await lookup({ name: "inner" });
    strictEqual(port, 2201);
    strictEqual(algorithms?.cipher?.[0], "aes256-ctr");
    ok(algorithms?.kex?.includes("diffie-hellman-group1-sha1"));
    deepStrictEqual(algorithms?.serverHostKey, ["ssh-ed25519"]);
    deepStrictEqual(algorithms?.hmac, ["hmac-sha2-512"]);
    const other = await lookup({ name: "other" });
    deepStrictEqual([other.port, other.settings], [22, {}]);
  },
);

Deno.test(
  inOpenSsh("SshConfig reports what is wrong with a config, with file and line"),
  async () => {
    await using given = await createConfig("Host a\n  Prot 22\nHost b\n");
    await using runner = createTestRunner();
    using commands = runner.pool.forCall();
    const lookup = given.config.forCall({ commands, signal });
    const file = `${given.home}/.ssh/config`;
    await rejects(lookup({ name: "b" }), (error) => {
      if (!(error instanceof SshError) || error.phase !== "resolve") return false;
      match(error.message, /^Cannot read the SSH config for "b": /);
      ok(error.message.includes(`${file}: line 2: Bad configuration option: prot`), error.message);
      return !error.message.includes("\n");
    });
    await Deno.writeTextFile(file, "Host b\n  Port 2\n");
    strictEqual((await lookup({ name: "b" })).port, 2, "a change counts at once");
    await Deno.remove(file);
    await new Deno.Command("mkfifo", { args: [file] }).output();
    await rejects(lookup({ name: "b" }), {
      message: `Cannot read "${file}": it is not a regular file`,
    });
  },
);

Deno.test("SshConfig has the defaults without ssh, and rejects a config that needs it", async () => {
  await using given = await createConfig("Host a\n  Port 2\n");
  const file = `${given.home}/.ssh/config`;
  const lookup = given.config.forCall({ commands: NO_SSH, signal });
  const needed = {
    name: "SshError",
    phase: "resolve",
    message: `Cannot read "${file}": the program "ssh", which is needed to read it, is not found`,
  };
  await rejects(lookup({ name: "a" }), needed);
  await rejects(lookup({ name: "other" }), needed);
  await Deno.remove(file);
  const { settings, ...config } = await lookup({ name: "A", user: "ann" });
  const defaults = { hostName: "a", port: 22, user: "ann", jumps: [], proxyPassesSocket: false };
  deepStrictEqual([config, settings], [defaults, {}]);
  const { port, user } = await lookup({ name: "a", port: 2200 });
  deepStrictEqual([port, user], [2200, await accountName()]);
});

Deno.test("SshConfig rejects a config of the system that needs ssh", async () => {
  const home = userInfo().homedir;
  const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
  const files = [`${home}/.ssh/config`, "/etc/ssh/ssh_config"];
  const there = await Promise.all(files.map(exists));
  const config = new SshConfig({ home, defaultUser: "me", env: () => undefined });
  const found = config.forCall({ commands: NO_SSH, signal })({ name: "a" });
  const file = files.find((_, at) => there[at]);
  if (file === undefined) strictEqual((await found).port, 22);
  else await rejects(found, (error: Error) => error.message.startsWith(`Cannot read "${file}": `));
});

Deno.test("SshConfig repeats what an ssh says that reads no config", async () => {
  await using given = await createConfig("");
  const commands: CommandRunner = {
    run: async (_spec, { onOutput }) => {
      await onOutput?.({ stream: "stderr", text: "No user exists for uid 4242\r\n" });
      return { stdout: "", stderr: "", exitCode: 255, timedOut: false };
    },
  };
  const lookup = given.config.forCall({ commands, signal });
  const file = `${given.home}/.ssh/config`;
  await rejects(lookup({ name: "a" }), {
    message: `Cannot read "${file}": the program "ssh", which is needed to read it, ` +
      "says: No user exists for uid 4242",
  });
  await Deno.remove(file);
  strictEqual((await lookup({ name: "a" })).port, 22);
});

Deno.test(inOpenSsh("SshConfig passes -F only if HOME is not the account's home"), async () => {
  await using given = await createConfig("Host a\n  Port 2\n");
  await using empty = await createTempFolder();
  await using runner = createTestRunner();
  using call = runner.pool.forCall();
  const filesOf = async (home: string) => {
    const files = new Set<string | undefined>();
    const commands: CommandRunner = {
      run: (spec, options) => {
        const { args = [] } = spec;
        // The defaults are asked for without a config.
        if (args.at(-1) !== "localhost") files.add(args[args.indexOf("-F") + 1 || args.length]);
        return call.run(spec, options);
      },
    };
    const config = new SshConfig({ home, defaultUser: "me", env: () => undefined });
    await config.forCall({ commands, signal })({ name: "a" });
    return [...files];
  };
  deepStrictEqual(await filesOf(given.home), [`${given.home}/.ssh/config`]);
  deepStrictEqual(await filesOf(empty.path), ["none"]);
  deepStrictEqual(await filesOf(userInfo().homedir), [undefined]);
});

Deno.test(
  inOpenSsh("SshConfig keeps answers for a few seconds, and asks once for calls at once"),
  async () => {
    await using given = await createConfig("Host a\n  Port 2\n");
    await using runner = createTestRunner();
    using call = runner.pool.forCall();
    let asked = 0;
    const commands: CommandRunner = {
      run: (spec, options) => {
        asked++;
        return call.run(spec, options);
      },
    };
    const lookup = given.config.forCall({ commands, signal });
    await Promise.all(Array.from({ length: 20 }, () => lookup({ name: "a" })));
    for (let i = 0; i < 20; i++) await given.config.forCall({ commands, signal })({ name: "a" });
    strictEqual(asked, 2, "one for the defaults, one for the host");
    await lookup({ name: "a", user: "other" });
    strictEqual(asked, 3);
  },
);

Deno.test(
  inOpenSsh("SshConfig stops a Match exec that hangs with its call, and other calls ask again"),
  async () => {
    await using given = await createConfig("");
    const mark = crypto.randomUUID();
    const flag = `${given.home}/go`;
    await Deno.writeTextFile(
      `${given.home}/.ssh/config`,
      `Match exec "test -e ${flag} || { touch ${given.home}/${mark}; sleep 300; }"\n  Port 7\n`,
    );
    await using runner = createTestRunner();
    using commands = runner.pool.forCall();
    const controller = new AbortController();
    using watcher = Deno.watchFs(given.home);
    const first = given.config.forCall({ commands, signal: controller.signal })({ name: "a" });
    for await (const { paths } of watcher) {
      if (paths.some((path) => path.endsWith(mark))) break;
    }
    const second = given.config.forCall({ commands, signal })({ name: "a" });
    await Deno.writeTextFile(flag, "");
    controller.abort(new Error("cancelled"));
    await rejects(first, /cancelled/);
    strictEqual((await second).port, 7);
    const left = () => findByMark(given.home);
    for (const end = performance.now() + 30_000; left().length > 0 && performance.now() < end;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    deepStrictEqual(left(), [], "what has this HOME is gone");
  },
);

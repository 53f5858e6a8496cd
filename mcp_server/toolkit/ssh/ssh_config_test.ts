import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { hostname, userInfo } from "node:os";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder, type TempFolder } from "../../../test_support/temp_folder.ts";
import { ToolError } from "../../shared/error.ts";
import type { CommandRunner } from "../../tool/command.ts";
import { createTestRunner, findByMark } from "../../testing/test_runner.ts";
import { SshError } from "./ssh2.ts";
import { type ConfigTarget, SshConfig } from "./ssh_config.ts";
import type { HostConfig } from "./host_config.ts";

const { signal } = new AbortController();
const decoder = new TextDecoder();
const inOpenSsh = (name: string) => requires("sshd", name);

/** What `ssh -G` does not print as it is used; `~` is the home folder. */
type Used = Pick<HostConfig, "proxyCommand"> & Partial<HostConfig["settings"]>;

/** Configs as people have them, the hosts to ask about, and what is used for some of them. */
const CONFIGS: readonly {
  text: string;
  targets: readonly ConfigTarget[];
  used?: Readonly<Record<string, Used>>;
}[] = [
  { text: "", targets: [{ name: "web" }, { name: "WEB", port: 2200 }, { name: "10.0.0.1" }] },
  {
    text: `
# A bastion, and hosts behind it
Host bastion
  HostName bastion.example.com
  User jump
  Port 2222
  IdentityFile ~/.ssh/bastion_ed25519
  IdentitiesOnly yes
Host *.internal !vpn.internal
  ProxyJump bastion
  User deploy
  IdentityFile ~/.ssh/%h_%r
  IdentityFile ~/.ssh/shared
Host db-?
  HostName %h.db.example.com
  ProxyJump jump@bastion:2200,bastion
Host *
  ServerAliveInterval 30
  ServerAliveCountMax 4
  ConnectTimeout 7
  User me-everywhere
`,
    targets: [
      { name: "bastion" },
      { name: "web.internal" },
      { name: "vpn.internal" },
      { name: "db-1" },
      { name: "db-1", user: "root", port: 99 },
      { name: "db-10" },
    ],
    used: {
      "bastion": { identityFiles: ["~/.ssh/bastion_ed25519"] },
      "web.internal": { identityFiles: ["~/.ssh/web.internal_deploy", "~/.ssh/shared"] },
      "vpn.internal": {},
    },
  },
  {
    text: `
Host github.com
  HostName ssh.github.com
  Port 443
  User git
  IdentityFile "~/.ssh/git hub"
  IdentityAgent none
Host cloud-*
  StrictHostKeyChecking yes
  UserKnownHostsFile ~/.ssh/known_hosts.cloud /etc/ssh/known_hosts.cloud
  HostKeyAlias cloud.%h
  ProxyCommand cloud-cli ssh-proxy --host %h --port %p --user %r %%
  PreferredAuthentications publickey
Match host ssh.github.com
  AddressFamily inet
Match originalhost old user admin
  PasswordAuthentication no
  KbdInteractiveAuthentication no
Host old
  HostName=192.0.2.7
  BindAddress=192.0.2.1
`,
    targets: [
      { name: "github.com" },
      { name: "cloud-7" },
      { name: "cloud-7", user: "ann" },
      { name: "old" },
      { name: "old", user: "admin" },
    ],
    used: {
      "github.com": { identityFiles: ["~/.ssh/git hub"] },
      "ann@cloud-7": {
        proxyCommand: "cloud-cli ssh-proxy --host cloud-7 --port 22 --user ann %",
        methods: ["publickey"],
        userKnownHosts: ["~/.ssh/known_hosts.cloud", "/etc/ssh/known_hosts.cloud"],
      },
      "old": {},
      "admin@old": { methods: ["publickey"] },
    },
  },
  {
    text: `
Match !host other originalhost quoted
  ProxyCommand sh -c "exec nc '%h' %p" # all of it
  ConnectTimeout 1m30s
  ServerAliveInterval = 2M
Host QUOTED
  Port 1
Host "quoted" other
  Port 2222 # why
  ProxyJump bastion
  UserKnownHostsFile "/k/a" /k/b
Match final
  User late
`,
    targets: [{ name: "quoted" }, { name: "other" }],
    used: {
      "quoted": {
        proxyCommand: "sh -c \"exec nc 'quoted' 2222\" # all of it",
        userKnownHosts: ["/k/a", "/k/b"],
      },
      "other": { userKnownHosts: ["/k/a", "/k/b"] },
    },
  },
];

interface TestConfig extends AsyncDisposable {
  readonly home: string;
  readonly config: SshConfig;
}

async function createConfig(text: string, env: Record<string, string> = {}): Promise<TestConfig> {
  const temp: TempFolder = await createTempFolder();
  const home = temp.path;
  await Deno.mkdir(`${home}/.ssh`);
  await Deno.writeTextFile(`${home}/.ssh/config`, text);
  const config = new SshConfig({
    home,
    defaultUser: await accountName(),
    env: (name) => env[name],
  });
  return { home, config, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

async function accountName(): Promise<string> {
  return decoder.decode((await new Deno.Command("id", { args: ["-un"] }).output()).stdout).trim();
}

/** Without a client of OpenSSH. */
const NO_SSH: CommandRunner = {
  run: () => Promise.reject(new ToolError("Cannot run it", { code: "PROGRAM_NOT_FOUND" })),
};

/** What `ssh -G` prints, by keyword. */
async function askDirectly(home: string, target: ConfigTarget): Promise<Map<string, string[]>> {
  const { name, user, port } = target;
  const file = `${home}/.ssh/config`;
  const args = ["-T", "-G", "-F", file, ...(user ? ["-l", user] : [])];
  if (port !== undefined) args.push("-p", String(port));
  const { stdout } = await new Deno.Command("ssh", { args: [...args, name], stderr: "null" })
    .output();
  const found = new Map<string, string[]>();
  for (const line of decoder.decode(stdout).split("\n")) {
    const [keyword = "", ...words] = line.split(" ");
    found.set(keyword, [...found.get(keyword) ?? [], words.join(" ")]);
  }
  return found;
}

/** The part of a config that `ssh -G` prints as it is used. */
function toPrinted({ settings, ...config }: HostConfig): Record<string, string | undefined> {
  return {
    hostname: config.hostName,
    port: String(config.port),
    user: config.user,
    proxyjump: config.jumps.length === 0 ? undefined : config.jumps.join(","),
    connecttimeout: config.connectTimeoutMs ? String(config.connectTimeoutMs / 1_000) : "none",
    hostkeyalias: config.hostKeyAlias?.toLowerCase(),
    identitiesonly: settings.identitiesOnly ? "yes" : "no",
    stricthostkeychecking: settings.strictHostKeys ? "true" : "ask",
    serveraliveinterval: String((settings.keepaliveMs ?? 0) / 1_000),
    serveralivecountmax: String(settings.keepaliveCount ?? 3),
    addressfamily: settings.family === undefined
      ? "any"
      : { 4: "inet", 6: "inet6" }[settings.family],
    bindaddress: settings.bindAddress,
    passwordauthentication: settings.methods?.includes("password") === false ? "no" : "yes",
    identityagent: settings.agent,
  };
}

function toUsed({ proxyCommand, settings }: HostConfig, home: string): Used {
  const { identityFiles, methods, userKnownHosts } = settings;
  const used = JSON.stringify({ proxyCommand, identityFiles, methods, userKnownHosts });
  return JSON.parse(used.replaceAll(home, "~"));
}

for (const [at, { text, targets, used = {} }] of CONFIGS.entries()) {
  Deno.test({
    ...inOpenSsh(`SshConfig finds what ssh -G prints, config ${at + 1}`),
    fn: async () => {
      await using given = await createConfig(text);
      await using runner = createTestRunner();
      using commands = runner.pool.forCall();
      const lookup = given.config.forCall({ commands, signal });
      for (const target of targets) {
        const printed = await askDirectly(given.home, target);
        const config = await lookup(target);
        const key = target.user === undefined ? target.name : `${target.user}@${target.name}`;
        if (used[key] !== undefined) deepStrictEqual(toUsed(config, given.home), used[key], key);
        for (const [keyword, value] of Object.entries(toPrinted(config))) {
          // Ways to log in may also be left out by their order.
          const preferred = printed.get("preferredauthentications")?.[0] ?? "password";
          if (keyword === "passwordauthentication" && preferred !== "password") continue;
          strictEqual(value, printed.get(keyword)?.[0], `${target.name}: ${keyword}`);
        }
      }
    },
  });
}

Deno.test(
  inOpenSsh("SshConfig expands tokens and variables of files as OpenSSH does"),
  async () => {
    await using given = await createConfig(
      `
Host t
  User ann
  Port 2022
  HostName t.example.org
  IdentityFile \${KEYS}/%n
  IdentityFile ~/.ssh/%C
  IdentityFile %d/.ssh/%L-%l
  IdentityFile /keys/%n/%h/%p/%r/%u/%i
  ControlPath %C
  UserKnownHostsFile ~/.ssh/kh_%k
`,
      { KEYS: "/keys" },
    );
    await using runner = createTestRunner();
    using commands = runner.pool.forCall();
    const { settings } = await given.config.forCall({ commands, signal })({ name: "t" });
    const [hash] = (await askDirectly(given.home, { name: "t" })).get("controlpath") ?? [];
    const host = hostname();
    deepStrictEqual(settings.identityFiles, [
      "/keys/t",
      `${given.home}/.ssh/${hash}`,
      `${given.home}/.ssh/${host.split(".")[0]}-${host}`,
      `/keys/t/t.example.org/2022/ann/${await accountName()}/${Deno.uid()}`,
    ]);
    deepStrictEqual(settings.userKnownHosts, [`${given.home}/.ssh/kh_t`]);
    const missing = new SshConfig({ home: given.home, defaultUser: "me", env: () => undefined });
    await rejects(missing.forCall({ commands, signal })({ name: "t" }), {
      name: "SshError",
      message: 'Cannot connect to "t": its identityfile "${KEYS}/%n" can\'t be used: ' +
        'the variable "KEYS" is not set',
    });
  },
);

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

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createTestRunner } from "../../testing/test_runner.ts";
import { type ConfigTarget, SshConfig } from "./ssh_config.ts";
import type { HostConfig } from "./host_config.ts";
import { accountName, createConfig } from "../../testing/ssh_tool.ts";
import { requires } from "../../../test_support/services.ts";
import { hostname } from "node:os";

const { signal } = new AbortController();
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

/** What `ssh -G` prints, by keyword. */
async function askDirectly(home: string, target: ConfigTarget): Promise<Map<string, string[]>> {
  const { name, user, port } = target;
  const file = `${home}/.ssh/config`;
  const args = ["-T", "-G", "-F", file, ...(user ? ["-l", user] : [])];
  if (port !== undefined) args.push("-p", String(port));
  const { stdout } = await new Deno.Command("ssh", { args: [...args, name], stderr: "null" })
    .output();
  const found = new Map<string, string[]>();
  for (const line of new TextDecoder().decode(stdout).split("\n")) {
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

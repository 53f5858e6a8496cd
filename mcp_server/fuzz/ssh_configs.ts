import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { CommandRunner } from "../tool/command.ts";
import { createTestRunner } from "../testing/test_runner.ts";
import { SshConfig } from "../toolkit/ssh/ssh_config.ts";
import type { HostConfig } from "../toolkit/ssh/host_config.ts";
import { SshError } from "../toolkit/ssh/ssh2.ts";
import { edited } from "../../test_support/fuzz/edited.ts";

/** A config, and the host that it is read for. */
interface Lookup {
  readonly text: string;
  readonly name: string;
  readonly user: string | undefined;
}

const HOST = fc.constantFrom("web", "db-1", "web.example.org", "10.0.0.1");
const PATTERN = fc.constantFrom("*", "web", "we?", "*.example.org", "!web", "!db-*", "WEB", "none");
const WORDS = fc.array(PATTERN, { minLength: 1, maxLength: 3 });
const USER = fc.constantFrom("ann", "bob", "root");

const SECTION = fc.oneof(
  WORDS.map((words) => `Host ${words.join(" ")}`),
  fc.array(
    fc.oneof(
      WORDS.map((words) => `host ${words}`),
      WORDS.map((words) => `originalhost ${words}`),
      USER.map((user) => `user ${user}`),
      USER.map((user) => `localuser ${user},x`),
      WORDS.map((words) => `!host ${words}`),
    ),
    { minLength: 1, maxLength: 2 },
  ).map((criteria) => `Match ${criteria.join(" ")}`),
  fc.constantFrom("Match all", "Match final", "Match final host web", "Match originalhost web all"),
);

/** Keywords that have an effect, with values that OpenSSH accepts. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  HostName: ["web.example.org", "%h.example.org", "10.0.0.2", "WEB2"],
  Port: ["2222", "22", "65535"],
  User: ["ann", "bob", '"cat"'],
  IdentityFile: ["~/.ssh/a", '"/keys/a b"', "/keys/%h", "none"],
  CertificateFile: ["/keys/a-cert.pub"],
  IdentitiesOnly: ["yes", "no"],
  IdentityAgent: ["/run/agent", "none", "SSH_AUTH_SOCK"],
  ProxyJump: ["bastion", "ann@bastion:2200,other", "none"],
  ProxyCommand: ["nc %h %p", "none", 'nc "%h" x'],
  ConnectTimeout: ["5", "0", "1m"],
  HostKeyAlias: ["alias", "Alias"],
  StrictHostKeyChecking: ["yes", "no", "ask", "accept-new", "off"],
  UserKnownHostsFile: ["/k/one /k/two", '"/k/one two"', "none"],
  GlobalKnownHostsFile: ["/k/three"],
  ServerAliveInterval: ["30", "0", "1m"],
  ServerAliveCountMax: ["4", "0"],
  AddressFamily: ["inet", "inet6", "any"],
  BindAddress: ["10.0.0.9"],
  PasswordAuthentication: ["no", "yes"],
  KbdInteractiveAuthentication: ["no", "yes"],
  PubkeyAuthentication: ["no", "yes"],
  PreferredAuthentications: ["publickey,password", "password"],
  Compression: ["yes"],
};

const SETTING = fc.constantFrom(...Object.entries(VALUES)).chain(([keyword, values]) =>
  fc.tuple(
    fc.constantFrom("", "  ", "\t"),
    fc.constantFrom(keyword, keyword, keyword.toUpperCase()),
    fc.constantFrom(" ", " ", " ", "=", " = ", "  "),
    fc.constantFrom(...values),
    fc.constantFrom("", "", "", " ", " # why", "\r"),
  ).map((parts) => parts.join(""))
);

const LINE = fc.oneof(
  { weight: 3, arbitrary: SETTING },
  { weight: 2, arbitrary: SECTION },
  { weight: 1, arbitrary: fc.constantFrom("", "# a comment", "  \t") },
);
const CONFIG = fc.array(LINE, { maxLength: 10 }).map((lines) => lines.join("\n"));

/** Finds what `ssh -G` prints about a host, or an error that says why not. */
export const sshConfigs: Surface = defineSurface<Lookup>({
  name: "mcp-ssh-configs",
  share: 0.02,
  open: async () => {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await createTempFolder());
    const runner = stack.use(createTestRunner());
    const commands = stack.use(runner.pool.forCall());
    const home = folder.path;
    await Deno.mkdir(`${home}/.ssh`);
    const owned = stack.move();
    return {
      inputs: fc.record({
        text: fc.oneof({ weight: 3, arbitrary: CONFIG }, edited(CONFIG)),
        name: HOST,
        user: fc.option(USER, { nil: undefined }),
      }),
      check: async ({ text, name, user }) => {
        await Deno.writeTextFile(`${home}/.ssh/config`, text);
        const found = await readConfig(home, { name, user }, commands);
        const printed = await askDirectly(home, { name, user });
        if (found instanceof SshError) {
          ok(/^Cannot (connect to|read the SSH config for) "/.test(found.message), found.message);
          // What OpenSSH reads may still not be usable, such as a token that is unknown.
          strictEqual(found.message.startsWith("Cannot read"), printed === undefined);
        } else {
          const { hostName, port, user: account } = found;
          deepStrictEqual([hostName, String(port), account], printed);
        }
      },
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
});

/** What a config says about a host, or why it can't be used. */
async function readConfig(
  home: string,
  target: Omit<Lookup, "text">,
  commands: CommandRunner,
): Promise<HostConfig | SshError> {
  const { signal } = new AbortController();
  const config = new SshConfig({ home, defaultUser: "root", env: () => undefined });
  try {
    return await config.forCall({ commands, signal })(target);
  } catch (error) {
    if (error instanceof SshError) return error;
    throw error;
  }
}

/** The name, the port and the user that `ssh -G` prints; `undefined` if it fails. */
async function askDirectly(
  home: string,
  { name, user }: Omit<Lookup, "text">,
): Promise<string[] | undefined> {
  const asUser = user === undefined ? [] : ["-l", user];
  const { success, stdout } = await new Deno.Command("ssh", {
    args: ["-T", "-G", "-F", `${home}/.ssh/config`, ...asUser, name],
    env: { HOME: home },
    stderr: "null",
  }).output();
  if (!success) return undefined;
  const lines = new TextDecoder().decode(stdout).split("\n");
  const valueOf = (keyword: string) =>
    lines.find((line) => line.startsWith(`${keyword} `))?.slice(keyword.length + 1) ?? "";
  return ["hostname", "port", "user"].map(valueOf);
}

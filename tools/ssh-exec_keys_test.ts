import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { callApi } from "../mcp_server/testing/http_caller.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { createSshTool } from "../mcp_server/testing/ssh_tool.ts";
import {
  createUser,
  makeKey,
  requiresSshd,
  type Sshd,
  startSshd,
} from "../mcp_server/testing/sshd.ts";
import { ROOT } from "../test_support/root.ts";
import { times } from "../test_support/tier.ts";
import register from "./ssh-exec.ts";

/** Calls with new connections and returns the error, or `undefined` if the host answered. */
async function attempt(
  sshd: Sshd,
  env: Record<string, string> = {},
  username = "root",
): Promise<{ phase: string; message: string } | undefined> {
  await using tool = await createSshTool(register, { HOME: sshd.home, ...env });
  const connections = [{ host: sshd.host, username, commands: ["echo in"] }];
  const [{ results = [], error } = {}] = await tool.run({ connections });
  strictEqual(results[0]?.stdout, error === undefined ? "in\n" : "");
  return error;
}

async function fingerprint(sshd: Sshd, type: string): Promise<string> {
  const file = `${sshd.folder}/host_${type}.pub`;
  const { stdout } = await new Deno.Command("ssh-keygen", { args: ["-lf", file] }).output();
  return new TextDecoder().decode(stdout).split(" ")[1] ?? "";
}

const name = (sshd: Sshd) => `[127.0.0.1]:${sshd.port}`;

Deno.test({
  ...requiresSshd("ssh-exec trusts hosts by known_hosts: plain, hashed, and by one of many keys"),
  fn: async () => {
    await using sshd = await startSshd();
    for (const type of ["ed25519", "ecdsa", "rsa"] as const) {
      await sshd.writeKnownHosts(`${name(sshd)} ${await sshd.hostKey(type)}\n`);
      strictEqual(await attempt(sshd), undefined, type);
    }
    const file = `${sshd.home}/.ssh/known_hosts`;
    const { success } = await new Deno.Command("ssh-keygen", { args: ["-Hf", file] }).output();
    ok(success);
    match(await Deno.readTextFile(file), /^\|1\|/);
    strictEqual(await attempt(sshd), undefined, "hashed");
    await sshd.writeKnownHosts(`127.0.0.* ${await sshd.hostKey("rsa")}\n`);
    strictEqual(await attempt(sshd), undefined, "the name without the port");
  },
});

Deno.test({
  ...requiresSshd(
    "ssh-exec rejects hosts whose key is unknown, changed, revoked or signed by an authority",
  ),
  fn: async () => {
    await using sshd = await startSshd();
    await makeKey(`${sshd.folder}/host_other`, "ed25519");
    const other = (await Deno.readTextFile(`${sshd.folder}/host_other.pub`)).trim();
    const own = await sshd.hostKey("ed25519");
    const [shown, expected] = [
      await fingerprint(sshd, "ed25519"),
      await fingerprint(sshd, "other"),
    ];
    const cases: [lines: string, state: string][] = [
      ["", `its ssh-ed25519 key ${shown} is not known`],
      [
        `${name(sshd)} ${other}`,
        `it shows ssh-ed25519 ${shown}, known_hosts has ssh-ed25519 ${expected}; ` +
        "if the operator confirms the new key, remove the old one from known_hosts",
      ],
      [`${name(sshd)} ${own}\n@revoked * ${own}`, `its key ${shown} is revoked in known_hosts`],
      [`@cert-authority * ${other}`, "has only a @cert-authority for it, which is not supported"],
    ];
    // In a run of every day, one: each logs in anew.
    const notUnknown = cases.slice(1, times(2, cases.length));
    for (const mode of ["strict", "accept-new"]) {
      for (const [lines, state] of mode === "strict" ? cases : notUnknown) {
        await sshd.writeKnownHosts(`${lines}\n`);
        const error = await attempt(sshd, {
          MCP_SSH_HOST_KEYS: mode,
          MCP_SSH_PASSWORD: "open-sesame",
        });
        strictEqual(error?.phase, "host-key", lines);
        match(error?.message ?? "", /^Cannot trust "\[127\.0\.0\.1\]:\d+": /);
        ok(error?.message.includes(state), error?.message);
        strictEqual(await Deno.readTextFile(`${sshd.home}/.ssh/known_hosts`), `${lines}\n`);
      }
    }
  },
});

Deno.test({
  ...requiresSshd("ssh-exec uses a kept connection only as long as the key of its host is trusted"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const connections = [{ host: sshd.host, username: "root", commands: ["exec true"] }];
    const faultOf = async () => (await tool.run({ connections }))[0]?.error;
    const own = `${name(sshd)} ${await sshd.hostKey("ed25519")}\n`;
    await sshd.writeKnownHosts(own);
    strictEqual(await faultOf(), undefined);
    const kept = await sshd.connections();
    await sshd.writeKnownHosts(`# another line\n${own}`);
    strictEqual(await faultOf(), undefined);
    strictEqual(await faultOf(), undefined);
    deepStrictEqual(await sshd.connections(), kept);

    const lost: [lines: string, state: RegExp][] = [
      [`${own}@revoked * ${await sshd.hostKey("ed25519")}\n`, /is revoked in known_hosts$/],
      ["", /is not known; add it to known_hosts/],
    ];
    for (const [lines, state] of lost) {
      await sshd.writeKnownHosts(lines);
      const fault = await faultOf();
      strictEqual(fault?.phase, "host-key");
      match(fault?.message ?? "", state);
      await sshd.untilConnections(0);
      await sshd.writeKnownHosts(own);
      strictEqual(await faultOf(), undefined);
      strictEqual((await sshd.connections()).length, 1);
    }
  },
});

Deno.test({
  ...requiresSshd("ssh-exec adds the key of an unknown host once, with accept-new"),
  fn: async () => {
    await using sshd = await startSshd();
    const home = `${sshd.folder}/fresh`;
    await Deno.mkdir(home);
    const env = {
      HOME: home,
      MCP_SSH_KEY: `${sshd.home}/.ssh/id_ed25519`,
      MCP_SSH_HOST_KEYS: "accept-new",
    };
    await using tool = await createSshTool(register, env);
    const connections = Array.from({ length: 8 }, () => ({
      host: sshd.host,
      username: "root",
      commands: ["true"],
    }));
    const results = await tool.run({ connections });
    deepStrictEqual(results.map(({ error }) => error), results.map(() => undefined));
    const file = `${home}/.ssh/known_hosts`;
    const line = `${name(sshd)} ${await sshd.hostKey("ed25519")}\n`;
    strictEqual(await Deno.readTextFile(file), line);
    strictEqual(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
    strictEqual(((await Deno.stat(`${home}/.ssh`)).mode ?? 0) & 0o777, 0o700);
    await Deno.writeTextFile(file, "# no end of line");
    strictEqual(await attempt(sshd, env), undefined);
    strictEqual(await Deno.readTextFile(file), `# no end of line\n${line}`);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec logs in with the agent, a key, a passphrase, a password"),
  fn: async () => {
    await using sshd = await startSshd();
    await using user = await createUser("/bin/sh", sshd.folder);
    const key = `${sshd.home}/.ssh/id_ed25519`;
    const locked = `${sshd.folder}/locked`;
    await makeKey(locked, "ed25519", "a passphrase");
    const keys = `${sshd.folder}/authorized_keys`;
    await Deno.writeTextFile(keys, await Deno.readTextFile(`${locked}.pub`), { append: true });

    strictEqual(await attempt(sshd, {}, user.name), undefined, "the key that OpenSSH would try");
    await Deno.rename(key, `${sshd.folder}/moved`);
    const none = await attempt(sshd, {}, user.name);
    strictEqual(none?.phase, "auth");
    match(none?.message ?? "", /there is no agent, no key file and no password$/);
    strictEqual(await attempt(sshd, { MCP_SSH_KEY: `${sshd.folder}/moved` }), undefined);

    const passphrase = { MCP_SSH_KEY: locked, MCP_SSH_PASSPHRASE: "a passphrase" };
    strictEqual(await attempt(sshd, passphrase), undefined);
    const noPassphrase = await attempt(sshd, { MCP_SSH_KEY: locked });
    match(noPassphrase?.message ?? "", /locked \(encrypted: set MCP_SSH_PASSPHRASE\)$/);
    const wrong = await attempt(sshd, { ...passphrase, MCP_SSH_PASSPHRASE: "not it at all" });
    match(wrong?.message ?? "", /locked \(wrong passphrase\)$/);

    strictEqual(await attempt(sshd, { MCP_SSH_PASSWORD: user.password }, user.name), undefined);
    const wrongPassword = await attempt(sshd, { MCP_SSH_PASSWORD: "not-the-word" }, user.name);
    strictEqual(wrongPassword?.phase, "auth");
    match(wrongPassword?.message ?? "", /^Cannot log in to .+: refused; tried the password$/);
    for (const error of [wrong, wrongPassword]) {
      ok(!/not it at all|not-the-word/.test(error?.message ?? ""));
    }

    const agent = await startAgent(`${sshd.folder}/agent`, `${sshd.folder}/moved`);
    try {
      strictEqual(await attempt(sshd, { SSH_AUTH_SOCK: `${sshd.folder}/agent` }), undefined);
    } finally {
      agent.kill();
      await agent.status;
    }
    const env = { SSH_AUTH_SOCK: `${sshd.folder}/no-agent`, MCP_SSH_PASSWORD: user.password };
    strictEqual(await attempt(sshd, env, user.name), undefined, "an agent that no longer runs");
  },
});

Deno.test({
  ...requiresSshd("ssh-exec logs in with a password if the server prompts for it"),
  fn: async () => {
    await using sshd = await startSshd("AuthenticationMethods keyboard-interactive");
    await using user = await createUser("/bin/sh", sshd.folder);
    strictEqual(await attempt(sshd, { MCP_SSH_PASSWORD: user.password }, user.name), undefined);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec uses the agent with the permissions of `deno task start`"),
  fn: async () => {
    const manifest = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
    const start: string = manifest.tasks.start.command;
    const permissions = start.split(" ").filter((word) => word.startsWith("--allow-"));
    await using sshd = await startSshd();
    const key = `${sshd.folder}/moved`;
    await Deno.rename(`${sshd.home}/.ssh/id_ed25519`, key);
    const agent = await startAgent(`${sshd.folder}/agent`, key);
    try {
      const env = { HOME: sshd.home, SSH_AUTH_SOCK: `${sshd.folder}/agent`, ...DENO_FOLDER };
      await using server = await startServer({ permissions, env });
      const connections = [{ host: sshd.host, username: "root", commands: ["echo in"] }];
      const { body } = await callApi(server.url, "ssh-exec", { connections });
      const results = [{ stdout: "in\n", stderr: "", exitCode: 0, timedOut: false }];
      deepStrictEqual(body, { results: [{ host: sshd.host, username: "root", results }] });
    } finally {
      agent.kill();
      await agent.status;
    }
  },
});

/** Deno looks for its cache below HOME. */
const DENO_FOLDER: Record<string, string> = {
  DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
};

async function startAgent(socket: string, key: string): Promise<Deno.ChildProcess> {
  const agent = new Deno.Command("ssh-agent", {
    args: ["-D", "-a", socket],
    stdout: "null",
    stderr: "null",
  }).spawn();
  for (let left = 500; left > 0; left--) {
    const { success } = await new Deno.Command("ssh-add", {
      args: ["-q", key],
      env: { SSH_AUTH_SOCK: socket },
      stderr: "null",
    }).output();
    if (success) return agent;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("Cannot start the agent");
}

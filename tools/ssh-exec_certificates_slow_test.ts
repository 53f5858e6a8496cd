import { match, strictEqual } from "node:assert/strict";
import { createSshTool } from "../mcp_server/testing/ssh_tool.ts";
import { makeKey, requiresSshd, type Sshd, startSshd } from "../mcp_server/testing/sshd.ts";
import register from "./ssh-exec.ts";

/** Signs a key with an authority, for root and the addresses of sshd, and returns the certificate. */
async function certify(
  authority: string,
  key: string,
  more: readonly string[] = [],
): Promise<string> {
  const names = more.includes("-h") ? "127.0.0.2" : "root";
  const { success } = await new Deno.Command("ssh-keygen", {
    args: ["-q", "-s", authority, "-I", "test", "-n", names, ...more, `${key}.pub`],
  }).output();
  strictEqual(success, true, key);
  return `${key}-cert.pub`;
}

async function attempt(sshd: Sshd, host = sshd.host, env = {}): Promise<string> {
  await using tool = await createSshTool(register, { HOME: sshd.home, ...env });
  const connections = [{ host, username: "root", commands: ["echo in"] }];
  const [{ results: [result] = [], error } = {}] = await tool.run({ connections });
  return error === undefined ? result?.stdout ?? "" : `${error.phase}: ${error.message}`;
}

Deno.test({
  ...requiresSshd("ssh-exec logs in with certificates of users, of every type of key"),
  fn: async () => {
    await using sshd = await startSshd("TrustedUserCAKeys /dev/null");
    const { folder, home } = sshd;
    await makeKey(`${folder}/ca`, "ed25519");
    await makeKey(`${folder}/other_ca`, "ed25519");
    await Deno.writeTextFile(
      `${folder}/config`,
      (await Deno.readTextFile(`${folder}/config`))
        .replace("TrustedUserCAKeys /dev/null", `TrustedUserCAKeys ${folder}/ca.pub`),
    );
    await Deno.remove(`${folder}/authorized_keys`);
    await sshd.kill();
    await sshd.restart();
    match(await attempt(sshd), /^auth: .+ refused; tried key .+id_ed25519$/);
    for (
      const [type, ...bits] of [["ed25519"], ["rsa"], ["ecdsa", "-b", "256"], [
        "ecdsa",
        "-b",
        "521",
      ]]
    ) {
      const key = `${home}/.ssh/id_${type}`;
      await Deno.remove(key).catch(() => {});
      await Deno.remove(`${key}.pub`).catch(() => {});
      await makeKey(key, type ?? "", "", bits);
      await certify(`${folder}/ca`, key);
      strictEqual(await attempt(sshd), "in\n", `${type} ${bits.join(" ")}`);
      await Deno.remove(key);
      await Deno.remove(`${key}-cert.pub`);
    }
    const key = `${folder}/apart`;
    await makeKey(key, "ed25519", "a passphrase");
    await Deno.rename(await certify(`${folder}/ca`, key), `${folder}/certificate`);
    const config = `IdentityFile ${key}\nCertificateFile ${folder}/certificate\n`;
    await Deno.writeTextFile(`${home}/.ssh/config`, config);
    const env = { MCP_SSH_PASSPHRASE: "a passphrase" };
    strictEqual(await attempt(sshd, sshd.host, env), "in\n", "CertificateFile");
    match(
      await attempt(sshd),
      /key .+apart \(encrypted: set MCP_SSH_PASSPHRASE\), certificate .+ \(its private key is missing\)$/,
    );
    for (const more of [["-V", "-2d:-1d"], ["-n", "nobody"]]) {
      await Deno.rename(await certify(`${folder}/ca`, key, more), `${folder}/certificate`);
      match(await attempt(sshd, sshd.host, env), /^auth: .+ refused; tried certificate /);
    }
    await Deno.rename(await certify(`${folder}/other_ca`, key), `${folder}/certificate`);
    match(await attempt(sshd, sshd.host, env), /^auth: .+ refused; tried certificate /);
    await Deno.writeTextFile(`${folder}/certificate`, "ssh-ed25519-cert-v01@openssh.com AAAA\n");
    match(await attempt(sshd, sshd.host, env), /\(not a certificate of a known type\)$/);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec rejects hosts that only an authority vouches for, and revoked keys"),
  fn: async () => {
    await using sshd = await startSshd();
    const { folder, port } = sshd;
    await makeKey(`${folder}/ca`, "ed25519");
    const certificate = await certify(`${folder}/ca`, `${folder}/host_ed25519`, ["-h"]);
    const config = await Deno.readTextFile(`${folder}/config`);
    await Deno.writeTextFile(`${folder}/config`, `HostCertificate ${certificate}\n${config}`);
    await sshd.kill();
    await sshd.restart();
    const authority = (await Deno.readTextFile(`${folder}/ca.pub`)).trim();
    const name = `[127.0.0.2]:${port}`;
    const host = `127.0.0.2:${port}`;
    const own = await sshd.hostKey("ed25519");
    const { success } = await new Deno.Command("ssh", {
      args: [
        ...["-F", "none", "-p", String(port), "-i", `${sshd.home}/.ssh/id_ed25519`],
        ...["-o", `UserKnownHostsFile=${sshd.home}/.ssh/known_hosts`, "root@127.0.0.2", "true"],
      ],
    }).output();
    strictEqual(success, true);
    const open = { MCP_SSH_HOST_KEYS: "accept-new" };
    await sshd.writeKnownHosts(`@cert-authority ${name} ${authority}\n`);
    match(await attempt(sshd, host, open), /^host-key: .+only a @cert-authority for it/);
    await sshd.writeKnownHosts(`@cert-authority ${name} ${authority}\n${name} ${own}\n`);
    strictEqual(await attempt(sshd, host), "in\n", "its own key is known too");
    await sshd.writeKnownHosts(`${name} ${own}\n@revoked * ${own}\n`);
    match(await attempt(sshd, host, open), /^host-key: .+ is revoked in known_hosts$/);
  },
});

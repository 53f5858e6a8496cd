import { deepStrictEqual } from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type Algorithms, loadSsh2, SUPPORTED_ALGORITHMS, supportedAlgorithms } from "./ssh2.ts";

Deno.test("supportedAlgorithms() keeps the names that ssh2 accepts, in their order", () => {
  const names: Readonly<Record<keyof Algorithms, readonly string[]>> = {
    kex: ["sntrup761x25519-sha512", "diffie-hellman-group1-sha1", "curve25519-sha256"],
    cipher: ["aes256-ctr", "arcfour", "chacha20-poly1305@openssh.com", "3des-cbc"],
    hmac: ["umac-64@openssh.com", "hmac-sha2-512", "hmac-sha1"],
    serverHostKey: ["ssh-ed25519-cert-v01@openssh.com", "ssh-rsa", "ssh-ed25519"],
  };
  const kept = Object.entries(names).map(([purpose, list]) =>
    [purpose, supportedAlgorithms(purpose as keyof Algorithms, list)] as const
  );
  deepStrictEqual(Object.fromEntries(kept), {
    kex: ["diffie-hellman-group1-sha1", "curve25519-sha256"],
    cipher: ["aes256-ctr", "chacha20-poly1305@openssh.com", "3des-cbc"],
    hmac: ["hmac-sha2-512", "hmac-sha1"],
    serverHostKey: ["ssh-rsa", "ssh-ed25519"],
  });
});

Deno.test("SUPPORTED_ALGORITHMS has only names that ssh2 accepts", async () => {
  const { Client } = await loadSsh2();
  const refused = Object.entries(SUPPORTED_ALGORITHMS).flatMap(([purpose, list]) =>
    list.filter((name) => {
      const client = new Client();
      client.on("error", () => {});
      const sock = new PassThrough();
      try {
        client.connect({ ...CONNECT, sock, algorithms: { [purpose]: [name] } });
        return false;
      } catch {
        return true;
      } finally {
        client.destroy();
        sock.destroy();
      }
    })
  );
  deepStrictEqual(refused, []);
});

const CONNECT = {
  username: "u",
  readyTimeout: 0,
  keepaliveInterval: 0,
  keepaliveCountMax: 1,
  hostVerifier: () => false,
  authHandler: () => false as const,
};

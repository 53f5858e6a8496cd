import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { makeKey } from "../../testing/sshd.ts";
import { parseCertificate } from "./certificate.ts";

Deno.test({
  ...requires(
    "sshd",
    "parseCertificate() finds the key that a certificate is for, or none in a broken one",
  ),
  fn: async () => {
    await using folder = await createTempFolder();
    const [authority, key] = [`${folder.path}/ca`, `${folder.path}/key`];
    await makeKey(authority, "ed25519");
    for (const [type, ...bits] of [["ed25519"], ["rsa"], ["ecdsa", "-b", "384"]] as const) {
      await Deno.remove(key).catch(() => {});
      await Deno.remove(`${key}.pub`).catch(() => {});
      await makeKey(key, type, "", bits);
      const args = ["-q", "-s", authority, "-I", "test", "-n", "root", `${key}.pub`];
      await new Deno.Command("ssh-keygen", { args }).output();
      const text = await Deno.readTextFile(`${key}-cert.pub`);
      const [name = "", base64 = ""] = (await Deno.readTextFile(`${key}.pub`)).split(" ");
      const certificate = parseCertificate(text);
      strictEqual(certificate?.type, `${name}-cert-v01@openssh.com`);
      deepStrictEqual(certificate?.publicKey, Uint8Array.fromBase64(base64));
      const bytes = certificate?.blob ?? new Uint8Array();
      for (let length = 0; length < 60; length++) {
        const cut = bytes.subarray(0, length).toBase64();
        strictEqual(parseCertificate(`${certificate?.type} ${cut}`), undefined, `${length} bytes`);
      }
      strictEqual(parseCertificate(text.replace("-cert-v01", "-cert-v02")), undefined);
      strictEqual(parseCertificate(await Deno.readTextFile(`${key}.pub`)), undefined);
    }
  },
});

import { deepStrictEqual, fail, strictEqual } from "node:assert/strict";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { toSigningKey } from "./credentials.ts";
import { loadSsh2 } from "./ssh2.ts";

/** Of so many keys, some have a number with a leading zero byte, and of most curves some a short one. */
const KEYS = 16;
const DATA = new TextEncoder().encode("data");

for (const bits of ["256", "384", "521"]) {
  Deno.test({
    ...requires("sshd", `toSigningKey() signs with any ECDSA key of ${bits} bits`),
    fn: async () => {
      const { utils } = await loadSsh2();
      await using folder = await createTempFolder();
      for (let count = 0; count < KEYS; count++) {
        const file = `${folder.path}/${count}`;
        const args = ["-q", "-t", "ecdsa", "-b", bits, "-N", "", "-f", file];
        strictEqual((await new Deno.Command("ssh-keygen", { args }).output()).success, true);
        const parsed = utils.parseKey(await Deno.readTextFile(file));
        if (Array.isArray(parsed) || parsed instanceof Error) fail("ssh2 reads one key");
        const key = toSigningKey(parsed, utils);
        const signature = key.sign(DATA);
        if (signature instanceof Error) fail(signature.message);
        strictEqual(parsed.verify(DATA, signature), true, `key ${count}`);
        deepStrictEqual(key.getPublicSSH(), parsed.getPublicSSH());
      }
    },
  });
}

Deno.test({
  ...requires("sshd", "toSigningKey() leaves other keys unchanged"),
  fn: async () => {
    const { utils } = await loadSsh2();
    await using folder = await createTempFolder();
    const args = ["-q", "-t", "ed25519", "-N", "", "-f", `${folder.path}/key`];
    await new Deno.Command("ssh-keygen", { args }).output();
    const parsed = utils.parseKey(await Deno.readTextFile(`${folder.path}/key`));
    if (Array.isArray(parsed) || parsed instanceof Error) fail("ssh2 reads one key");
    strictEqual(toSigningKey(parsed, utils), parsed);
  },
});

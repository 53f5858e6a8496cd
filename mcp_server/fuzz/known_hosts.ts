import { deepStrictEqual } from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { findKnownHosts, fingerprintOf } from "../toolkit/ssh/known_hosts.ts";
import { edited } from "../../test_support/fuzz/edited.ts";

/** A file of known hosts, and the name that is looked up. */
interface Lookup {
  readonly lines: readonly string[];
  readonly name: string;
}

const NAME = fc.constantFrom("a", "web.example.org", "[web.example.org]:2222", "10.0.0.1", "::1");
const PATTERN = fc.oneof(
  NAME,
  NAME.map((name) => `!${name}`),
  fc.constantFrom("*", "?", "*.example.org", "!*", "WEB.example.org", "[*]:2222", "10.0.0.?", ""),
  fc.string({ unit: fc.constantFrom("a", "*", "?", "!", ".", "[", "]", ":", "|") }),
);
const NAMES = fc.oneof(
  { weight: 4, arbitrary: fc.array(PATTERN, { minLength: 1, maxLength: 4 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.tuple(NAME, fc.uint8Array({ minLength: 20, maxLength: 20 })).map(hash),
  },
);
const MARKER = fc.constantFrom("", "", "", "@revoked ", "@cert-authority ", "@other ", "@");
const KEY = fc.record({
  type: fc.constantFrom("ssh-ed25519", "ssh-ed25519", "ssh-ed25519", "ssh-rsa", "ecdsa"),
  last: fc.nat(5),
}).map(({ type, last }) => `${type} ${ed25519(last).toBase64()}`);
const GAP = fc.constantFrom(" ", " ", "\t", "  ");
const END = fc.constantFrom("", "", "", " comment", "\r", " ", "\t# x", "#");
const LINE = fc.tuple(fc.constantFrom("", "", " ", "\t"), MARKER, NAMES, GAP, KEY, END)
  .map((parts) => parts.join(""));

/** Reads a file of known hosts as OpenSSH does (`ssh-keygen -F`). */
export const knownHosts: Surface = defineSurface<Lookup>({
  name: "mcp-known-hosts",
  share: 0.1,
  open: async () => {
    const folder = await createTempFolder();
    const path = `${folder.path}/known_hosts`;
    return {
      inputs: fc.record({
        lines: fc.array(fc.oneof({ weight: 3, arbitrary: LINE }, edited(LINE)), { maxLength: 12 }),
        name: NAME,
      }),
      check: async ({ lines, name }) => {
        const text = lines.join("\n");
        const found = (await findKnownHosts(text, name)).filter(({ key }) => key.length === 51)
          .map(({ marker, key }) => `${marker ?? "key"} ${fingerprintOf(key)}`);
        await Deno.writeTextFile(path, `${text}\n`);
        deepStrictEqual(found, await askOpenSsh(path, name));
      },
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  },
});

const MARKERS: Readonly<Record<string, string>> = { CA: "cert-authority", REVOKED: "revoked" };

/** What OpenSSH finds, in the order of the file. */
async function askOpenSsh(path: string, name: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("ssh-keygen", {
    args: ["-l", "-F", name, "-f", path],
    stderr: "null",
  }).output();
  const found: string[] = [];
  let marker = "key";
  for (const line of new TextDecoder().decode(stdout).split("\n")) {
    const [, word] = /^# Host .* found: line \d+ ?(\w*)/.exec(line) ?? [];
    if (word !== undefined) marker = MARKERS[word] ?? "key";
    const [, print] = / (SHA256:\S+)/.exec(line) ?? [];
    if (print !== undefined) found.push(`${marker} ${print}`);
  }
  return found;
}

/** A public key, without its private one. */
function ed25519(last: number): Uint8Array {
  const type = new TextEncoder().encode("ssh-ed25519");
  return new Uint8Array([0, 0, 0, type.length, ...type, 0, 0, 0, 32, ...Array(31).fill(7), last]);
}

function hash([name, salt]: [string, Uint8Array]): string {
  const mac = createHmac("sha1", salt).update(name).digest("base64");
  return `|1|${salt.toBase64()}|${mac}`;
}

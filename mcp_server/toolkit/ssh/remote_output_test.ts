import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { requires, type ServiceName } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { MarkedOutput, type RemotePlace, toExecLine } from "./remote_output.ts";

const SHELLS: readonly [shell: string, service: ServiceName][] = [
  ["sh", "dash"],
  ["dash", "dash"],
  ["fish", "fish"],
  ["zsh", "zsh"],
];

/** fish reads two backslashes between quotes as one, even in a command sent by `ssh`. */
const COMMANDS: readonly [command: string, stdout: string, inFish?: string][] = [
  ["echo a; echo b", "a\nb\n"],
  ["printf '%s|' 'it'\"'\"'s' 'a b'", "it's|a b|"],
  ["printf '%s' 'back\\slash' '\\\\'", "back\\slash\\\\", "back\\slash\\"],
  ["echo 'one\ntwo'", "one\ntwo\n"],
  ["echo a\n\n# a comment\necho b", "a\nb\n"],
];

for (const [shell, service] of SHELLS) {
  Deno.test({
    ...requires(service, `toExecLine() is understood by ${shell}`),
    fn: async () => {
      await using home = await createTempFolder();
      for (const [command, stdout, inFish = stdout] of COMMANDS) {
        const process = new Deno.Command(shell, {
          args: ["-c", toExecLine(command, "MARK")],
          env: { HOME: home.path },
          stdin: "null",
          stdout: "piped",
        }).spawn();
        const text = new TextDecoder().decode((await process.output()).stdout);
        strictEqual(text, `MARK ${process.pid}\n${shell === "fish" ? inFish : stdout}`);
      }
    },
  });
}

const PLACES: readonly string[] = [
  "-",
  "-P",
  "a b",
  "it's",
  "one\ntwo",
  "back\\slash",
  "$HOME",
  "~x y",
];

for (const [shell, service] of SHELLS) {
  Deno.test({
    ...requires(service, `toExecLine() enters folders and sets variables in ${shell}`),
    fn: async () => {
      await using home = await createTempFolder();
      const run = async (place: RemotePlace) => {
        const { stdout, code } = await new Deno.Command(shell, {
          args: ["-c", toExecLine('pwd; printf "%s" "$A"', "MARK", place)],
          env: { HOME: home.path, CDPATH: "/" },
          cwd: home.path,
          stderr: "null",
        }).output();
        return [new TextDecoder().decode(stdout).replace(/^MARK \d+\n/, ""), code];
      };
      for (const name of PLACES) {
        await Deno.mkdir(`${home.path}/${name}`);
        for (
          const cwd of [name, `~/${name}`, `${home.path}/${name}`].slice(name === "~x y" ? 1 : 0)
        ) {
          deepStrictEqual(await run({ cwd, env: { A: name } }), [
            `${home.path}/${name}\n${name}`,
            0,
          ]);
        }
      }
      deepStrictEqual(await run({ cwd: "~root", env: { A: "=" } }), ["/root\n=", 0]);
      deepStrictEqual(await run({ cwd: "~", env: { HOME: "/tmp" } }), ["/tmp\n", 0]);
      for (const cwd of ["tmp", "/missing"]) deepStrictEqual(await run({ cwd }), ["", 126]);
    },
  });
}

const MARKER = "trestle-00112233445566778899aabbccddeeff";

function read(text: string, size: number) {
  let own = "";
  const output = new MarkedOutput(MARKER, (chunk) => {
    own += new TextDecoder().decode(chunk);
  });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) output.push(bytes.subarray(at, at + size));
  return { own, group: output.group, banner: output.banner };
}

Deno.test("MarkedOutput removes the marker line, however the output is split", () => {
  for (let size = 1; size < 120; size++) {
    deepStrictEqual(read(`Welcome!\nno end ${MARKER} 1234\nown ${MARKER} 5\n`, size), {
      own: `own ${MARKER} 5\n`,
      group: 1234,
      banner: "Welcome!\nno end",
    });
  }
});

Deno.test("MarkedOutput has no group and keeps the text if no marker arrives", () => {
  deepStrictEqual(read("not available\n", 5), {
    own: "",
    group: undefined,
    banner: "not available",
  });
  strictEqual(read(`${MARKER} 0\nx`, 100).group, undefined);
  strictEqual(read("y\n".repeat(100_000), 4_096).banner.length < 2_001, true);
});

Deno.test("MarkedOutput awaits its marker until the login shell has printed 1 MiB", async () => {
  const output = new MarkedOutput("m", () => {});
  let isOver = false;
  const over = output.awaited.then(() => isOver = true);
  const block = new TextEncoder().encode("b".repeat(1024));
  for (let kib = 0; kib < 1024; kib++) output.push(block);
  await Promise.resolve();
  strictEqual(isOver, false);
  for (let kib = 0; kib < 2; kib++) output.push(block);
  await over;
  strictEqual(output.group, undefined);
});

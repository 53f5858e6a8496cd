import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { requires, type ServiceName } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { type RemotePlace, toExecLine, toSecretLines } from "./exec_line.ts";

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

const VALUES: readonly string[] = [
  "npm_12345678",
  " it's \"a\\b\\n $HOME `id` *  ",
  "-----BEGIN KEY-----\n  one\\\n\n\ttwo\r\n-----END KEY-----\n",
  "-n é\u{1f511}",
];

for (const [shell, service] of SHELLS) {
  Deno.test({
    ...requires(
      service,
      `toExecLine() reads secrets from the input, and no more of it, in ${shell}`,
    ),
    fn: async () => {
      await using home = await createTempFolder();
      const secretEnv = Object.fromEntries(VALUES.map((value, at) => [`S${at}`, value]));
      const names = Object.keys(secretEnv);
      const command = `${
        names.map((name) => `env | grep -q "^${name}=" && printf "%s|" "$${name}"`).join("; ")
      }; env | grep MCP_; cat`;
      const line = toExecLine(command, "MARK", { secretEnv, env: { A: "a" } });
      strictEqual(VALUES.some((value) => line.includes(value)), false);
      const process = new Deno.Command(shell, {
        args: ["-c", line],
        env: { HOME: home.path },
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const writer = process.stdin.getWriter();
      const input = `${toSecretLines(secretEnv)}first\nlast`;
      for (const byte of new TextEncoder().encode(input)) await writer.write(Uint8Array.of(byte));
      await writer.close();
      const { stdout } = await process.output();
      const expected = VALUES.map((value) => `${value}|`).join("") + "first\nlast";
      strictEqual(new TextDecoder().decode(stdout), `MARK ${process.pid}\n${expected}`);
    },
  });
}

Deno.test("a shell that gets no secrets on its input runs nothing", async () => {
  const line = toExecLine("echo ran", "MARK", { secretEnv: { A: "12345678" } });
  const { code, stdout } = await new Deno.Command("sh", { args: ["-c", line], stdin: "null" })
    .output();
  deepStrictEqual([code, stdout.length], [125, 0]);
});

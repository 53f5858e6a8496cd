import { strictEqual } from "node:assert/strict";
import { requires, type ServiceName } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { toExecLine } from "./exec_line.ts";

const SHELLS: readonly [shell: string, service: ServiceName][] = [
  ["sh", "dash"],
  ["dash", "dash"],
  ["fish", "fish"],
  ["zsh", "zsh"],
];

/** fish reads two backslashes between quotes as one, also in what it is sent by `ssh`. */
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

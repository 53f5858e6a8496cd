import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { kill, PATH } from "../testing/test_runner.ts";
import { KeptShell } from "./kept_shell.ts";

const FUNCTIONS = `
print() { printf '%s\\n' "$@"; }
forge() { printf '%s ok\\n' "$1"; cat; }
refuse() { echo "sh: 7: it may not" >&2; echo 'nor this' >&2; return 3; }
own() { echo $$; }
hang() { sleep 300; }`;

function createShell(): KeptShell {
  return new KeptShell({ path: PATH, functions: FUNCTIONS, action: "ask", timeoutMs: 1_000 });
}

Deno.test("KeptShell passes on arguments and output unchanged, one call after the other", async () => {
  await using shell = createShell();
  const texts = ["it's", '$HOME `id` \\ "', "", "--", "*", "a  b ", "ok"];
  const calls = [shell.ask("print", ...texts), shell.ask("print", "next")];
  deepStrictEqual(await Promise.all(calls), [`${texts.join("\n")}\n`, "next\n"]);
  const forged = crypto.randomUUID();
  strictEqual(await shell.ask("forge", forged), `${forged} ok\n`, "nor does it read further calls");
});

Deno.test("KeptShell says what a function says that fails, and goes on", async () => {
  await using shell = createShell();
  const pid = await shell.ask("own");
  await rejects(shell.ask("refuse"), { message: "it may not; nor this" });
  strictEqual(await shell.ask("own"), pid);
});

Deno.test("KeptShell starts another shell for one that was ended, or gives no answer", async () => {
  await using shell = createShell();
  const first = Number(await shell.ask("own"));
  kill(first);
  const own = async () => Number(await shell.ask("own"));
  // It may not be known yet that the first one has ended.
  const second = await own().catch(own);
  await rejects(shell.ask("hang"), { message: "Cannot ask: no answer within 1000 ms" });
  const third = Number(await shell.ask("own"));
  strictEqual(new Set([first, second, third]).size, 3);
});

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { testWithEveryClient } from "../testing/mcp_clients.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";

/**
 * Prints a line and continues when the test writes to the FIFO, twice. Nothing is printed at the
 * end: clients lose a progress message that they read together with the result.
 */
const COMMAND = 'for n in one two; do echo $n; read -r < "$FIFO"; done';

/**
 * Creates a FIFO; opened for reading and writing, so that neither side waits for the other to open
 * it.
 */
async function openFifo(path: string): Promise<Disposable & { path: string; goOn(): void }> {
  await new Deno.Command("mkfifo", { args: [path] }).output();
  const file = await Deno.open(path, { read: true, write: true });
  const line = new TextEncoder().encode("go on\n");
  return {
    path,
    goOn: () => void file.writeSync(line),
    [Symbol.dispose]: () => file.close(),
  };
}

testWithEveryClient({
  name: "progress",
  cases: [
    {
      name: "progress reports the output while the command still runs, with increasing numbers",
      fn: async (peer) => {
        await using folder = await createTempFolder();
        using fifo = await openFifo(`${folder.path}/fifo`);
        const numbers: number[] = [];
        const messages: string[] = [];
        const answer = await peer.callTool("exec-command", {
          commands: [{ command: COMMAND, env: { FIFO: fifo.path } }],
          timeoutMs: 20_000,
        }, {
          onprogress: ({ progress, message = "" }) => {
            numbers.push(progress);
            messages.push(message);
            fifo.goOn();
          },
        });
        deepStrictEqual(answer.structuredContent, {
          results: [{ stdout: "one\ntwo\n", stderr: "", exitCode: 0, timedOut: false }],
        });
        deepStrictEqual(messages, ["one", "two"]);
        ok(
          numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? NaN)),
          `${numbers}`,
        );
      },
    },
    // A client treats progress that it did not request as a violation, which fails the test.
    {
      name: "progress is not sent to a client that did not request it",
      fn: async (peer) => {
        const { isError = false } = await peer.callTool("bash-script", { script: "echo one" });
        strictEqual(isError, false);
      },
    },
  ],
});

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { testWithEveryClient } from "../testing/mcp_clients.ts";
import { createTempFolder } from "../testing/temp_folder.ts";

/** Prints a line and waits until the test writes to the FIFO, twice. */
const COMMAND = 'mkfifo "$FIFO"; for n in one two; do echo $n; read -r < "$FIFO"; done; echo end';

testWithEveryClient({
  name: "progress tells the output while the command still runs, with numbers that grow",
  fn: async (peer) => {
    await using folder = await createTempFolder();
    const fifo = `${folder.path}/fifo`;
    const numbers: number[] = [];
    const messages: string[] = [];
    const answer = await peer.callTool("exec-command", {
      commands: [{ command: COMMAND, env: { FIFO: fifo } }],
      timeoutMs: 20_000,
    }, {
      onprogress: ({ progress, message = "" }) => {
        numbers.push(progress);
        messages.push(message);
        if (message !== "end") Deno.writeTextFileSync(fifo, "go on\n", { create: false });
      },
    });
    deepStrictEqual(answer.structuredContent, {
      results: [{ stdout: "one\ntwo\nend\n", stderr: "", exitCode: 0, timedOut: false }],
    });
    deepStrictEqual(messages, ["one", "two", "end"]);
    ok(numbers.every((number, at) => at === 0 || number > numbers[at - 1]!), `${numbers}`);
  },
});

testWithEveryClient({
  name: "progress is not sent to a client that asked for none",
  fn: async (peer) => {
    const script = "for n in 1 2 3; do echo $n; sleep 0.3; done";
    const { isError } = await peer.callTool("bash-script", { script });
    strictEqual(isError ?? false, false);
    // A client takes progress of an unknown token for a fault, which fails the test.
  },
});

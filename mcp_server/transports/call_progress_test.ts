import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { CallProgress, type ProgressMessage } from "./call_progress.ts";

const NEVER = 1_000_000;

Deno.test("CallProgress passes on the tool's numbers, and they always grow", () => {
  const sent: ProgressMessage[] = [];
  using progress = new CallProgress((message) => sent.push(message), NEVER);
  progress.update({ message: "first" });
  progress.update({ progress: 5, total: 10, message: "half" });
  progress.update({ progress: 3 });
  progress.update({ message: "on" });
  progress.update({ progress: 10 });
  strictEqual(
    sent.every((message, at) => at === 0 || message.progress > sent[at - 1]!.progress),
    true,
  );
  deepStrictEqual(sent[1], { progress: 5, total: 10, message: "half" });
  strictEqual(sent[4]?.progress, 10);
});

Deno.test("CallProgress tells output that is left when the call ends", () => {
  const sent: ProgressMessage[] = [];
  const progress = new CallProgress((message) => sent.push(message), NEVER);
  progress.output({ stream: "stdout", text: "one\ntwo\n" });
  progress.output({ stream: "stderr", text: "\n" });
  progress[Symbol.dispose]();
  deepStrictEqual(sent, [{ progress: 1, message: "one\ntwo" }]);
});

Deno.test("CallProgress beats while the tool is silent, and no longer than the call", async () => {
  const beats = Promise.withResolvers<ProgressMessage>();
  {
    using _ = new CallProgress((message) => beats.resolve(message), 1);
    const { message } = await beats.promise;
    match(message ?? "", /^running for \d+ s$/);
  }
});

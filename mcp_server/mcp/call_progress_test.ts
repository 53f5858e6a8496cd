import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { CallProgress, type ProgressMessage } from "./call_progress.ts";

const NEVER = 1_000_000;

Deno.test("CallProgress passes on the tool's numbers, which always increase", () => {
  const sent: ProgressMessage[] = [];
  using progress = new CallProgress((message) => sent.push(message) > 0, NEVER);
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

Deno.test("CallProgress reports the remaining output when the call ends", () => {
  const sent: ProgressMessage[] = [];
  const progress = new CallProgress((message) => sent.push(message) > 0, NEVER);
  progress.output({ stream: "stdout", text: "one\ntwo\n" });
  progress.output({ stream: "stderr", text: "\n" });
  progress[Symbol.dispose]();
  deepStrictEqual(sent, [{ progress: 1, message: "one\ntwo" }]);
});

Deno.test("CallProgress sends heartbeats while the tool is silent, and none after the call", async () => {
  const beats = Promise.withResolvers<ProgressMessage>();
  {
    using _ = new CallProgress((message) => {
      beats.resolve(message);
      return true;
    }, 1);
    const { message } = await beats.promise;
    match(message ?? "", /^running for \d+ s$/);
  }
});

Deno.test("CallProgress drops what a slow client does not read, and reports how much", () => {
  const sent: ProgressMessage[] = [];
  let hasRoom = true;
  using progress = new CallProgress((message) => hasRoom && sent.push(message) > 0, NEVER);
  progress.update({ progress: 1, total: 9, message: "first" });
  hasRoom = false;
  progress.update({ progress: 2, total: 9, message: "second" });
  progress.update({ progress: 3, total: 9, message: "third" });
  hasRoom = true;
  progress.update({ progress: 4, total: 9, message: "fourth" });
  progress.update({ progress: 5, total: 9, message: "fifth" });
  deepStrictEqual(sent, [
    { progress: 1, total: 9, message: "first" },
    { progress: 4, total: 9, message: "[... 2 messages not shown here ...]\nfourth" },
    { progress: 5, total: 9, message: "fifth" },
  ]);
});

Deno.test("CallProgress reports at the end what was left out, also if the client reads nothing", () => {
  const sent: ProgressMessage[] = [];
  {
    using progress = new CallProgress((message, isLast) => isLast && sent.push(message) > 0, NEVER);
    progress.update({ progress: 1, message: "lost" });
    progress.leaveOut(2);
    deepStrictEqual(sent, []);
  }
  deepStrictEqual(sent, [{ progress: 1.001, message: "[... 3 messages not shown here ...]" }]);
});

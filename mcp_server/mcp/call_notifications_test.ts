import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { ResponseBacklog } from "../http/body.ts";
import {
  type CallChannel,
  CallNotifications,
  CallProgress,
  type ProgressMessage,
} from "./call_notifications.ts";
import { CallReports } from "./held_call.ts";

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
    progress.update({ progress: 2, message: "lost, too" });
    progress.update({ progress: 3, message: "the third" });
    deepStrictEqual(sent, []);
  }
  deepStrictEqual(sent, [{ progress: 3.001, message: "[... 3 messages not shown here ...]" }]);
});

/** A client that gets notifications, and reads while it has room. */
function createClient() {
  const sent: unknown[] = [];
  const client = {
    sent,
    isFull: false,
    add: () => {},
    notify: ({ method }: { readonly method: string }) => Promise.resolve(void sent.push(method)),
    log: (level: string, data: unknown) => Promise.resolve(void sent.push([level, data])),
  };
  return client;
}

const log = (data: string) => ({
  method: "notifications/message",
  params: { level: "error", data },
});

Deno.test("CallNotifications drops what a slow client does not read, and the next one says how much", async () => {
  const client = createClient();
  using notifications = new CallNotifications(client, client);
  await notifications.send(log("first"));
  client.isFull = true;
  await notifications.send(log("second"));
  for (let at = 0; at < 4; at++) await notifications.send({ method: "notifications/own" });
  client.isFull = false;
  await notifications.send(log("third"));
  await notifications.send({ method: "notifications/own" });
  deepStrictEqual(client.sent, [
    ["error", "first"],
    ["warning", "[... 5 messages not shown here ...]"],
    ["error", "third"],
    "notifications/own",
  ]);
});

Deno.test("CallNotifications says at the end of a call what was left out, also if the client reads nothing", async () => {
  const client = createClient();
  {
    using notifications = new CallNotifications(client, client);
    client.isFull = true;
    await notifications.send(log("lost"));
    deepStrictEqual(client.sent, []);
  }
  deepStrictEqual(client.sent, [["warning", "[... 1 messages not shown here ...]"]]);
});

/** Reports of a call before its client is connected. */
function createReports() {
  const backlog = new ResponseBacklog();
  return { backlog, reports: new CallReports({ progressToken: 1 }, backlog) };
}

/** A connection that passes on what is said, and refuses other notifications. */
function toChannel(said: (message: string) => void): CallChannel {
  return {
    notify: ({ method, params }) => {
      said(String(params?.message ?? method));
      return method === "notifications/progress"
        ? Promise.resolve()
        : Promise.reject(new Error("no client takes it"));
    },
    log: (_level, data) => Promise.resolve(said(String(data))),
  };
}

Deno.test("CallReports passes on what was reported early in order, also if the client refuses some of it", async () => {
  const { reports: own } = createReports();
  using reports = own;
  await reports.listeners.onNotification({ method: "notifications/unknown" });
  reports.listeners.onProgress({ message: "one" });
  reports.listeners.onProgress({ message: "two" });
  const seen: string[] = [];
  reports.connect(toChannel((message) => seen.push(message)));
  deepStrictEqual(seen, ["notifications/unknown", "one", "two"]);
  // Deno fails the test if a rejection is left unhandled in this turn.
  await nextTurn();
});

Deno.test("CallReports lets a tool that awaits its many early reports wait until there is a connection", async () => {
  const { reports: own } = createReports();
  using reports = own;
  const count = 1_000;
  const seen: string[] = [];
  const tool = (async () => {
    for (let at = 0; at < count; at++) await reports.listeners.onNotification(log(`${at}`));
  })();
  await nextTurn();
  reports.connect(toChannel((message) => seen.push(message)));
  ok(seen.length > 0 && seen.length < count, `${seen.length} were kept`);
  await tool;
  deepStrictEqual(seen, Array.from({ length: count }, (_, at) => `${at}`));
});

Deno.test("CallReports keeps early reports up to a size, and counts the others", async () => {
  const { backlog, reports } = createReports();
  const sent = 3_000;
  for (let at = 0; at < sent; at++) {
    reports.listeners.onProgress({ message: `progress ${at}`.padEnd(4_000) });
    void reports.listeners.onNotification(log(`log ${at}`.padEnd(4_000)));
  }
  const got = { progress: 0, log: 0 };
  const leftOut: number[] = [];
  reports.connect(toChannel((message) => {
    const left = /^\[\.\.\. (\d+) messages not shown here/.exec(message);
    if (left !== null) return void leftOut.push(Number(left[1]));
    const kind = message.startsWith("progress") ? "progress" : "log";
    strictEqual(message.trimEnd(), `${kind} ${got[kind]++}`);
  }));
  await nextTurn();
  backlog.take(Infinity);
  reports[Symbol.dispose]();
  for (const kind of ["progress", "log"] as const) {
    ok(got[kind] > 100 && got[kind] < 300, `${got[kind]} were kept`);
  }
  deepStrictEqual(leftOut, [sent - got.log, sent - got.progress]);
});

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

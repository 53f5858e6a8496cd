import { deepStrictEqual } from "node:assert/strict";
import { CallNotifications } from "./call_notifications.ts";

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
  await notifications.send({ method: "notifications/own" });
  notifications.leaveOut(3);
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

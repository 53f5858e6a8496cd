import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { HeldCall } from "./held_call.ts";

Deno.test("HeldCall passes on what was reported early in order, also if the client refuses some of it", async () => {
  const held = new HeldCall();
  await held.listeners.onNotification({ method: "notifications/unknown" });
  held.listeners.onProgress({ message: "one" });
  held.listeners.onProgress({ message: "two" });
  const seen: unknown[] = [];
  using _attached = held.attach(new AbortController().signal, {
    onNotification: ({ method }) => {
      seen.push(method);
      return Promise.reject(new Error("no client takes it"));
    },
    onProgress: ({ message }) => {
      seen.push(message);
      if (message === "one") throw new Error("no client takes it");
    },
  });
  deepStrictEqual(seen, ["notifications/unknown", "one", "two"]);
  // Deno fails the test if a rejection is left unhandled in this turn.
  await nextTurn();
});

Deno.test("HeldCall lets a tool that awaits its many early reports wait until a request listens", async () => {
  const held = new HeldCall();
  const count = 1_000;
  const seen: unknown[] = [];
  const tool = (async () => {
    for (let at = 0; at < count; at++) await held.listeners.onNotification({ method: `${at}` });
  })();
  await nextTurn();
  using _attached = held.attach(new AbortController().signal, {
    onNotification: ({ method }) => Promise.resolve(void seen.push(method)),
  });
  ok(seen.length > 0 && seen.length < count, `${seen.length} were kept`);
  await tool;
  deepStrictEqual(seen, Array.from({ length: count }, (_, at) => `${at}`));
});

for (const end of ["stop", "abandon"] as const) {
  Deno.test(`HeldCall lets a tool with many early reports go on after ${end}()`, async () => {
    const held = new HeldCall();
    held.carriedBy({ outcome: new Promise(() => {}), stop: () => {} });
    const reports = Array.from(
      { length: 200 },
      () => held.listeners.onNotification({ method: "" }),
    );
    held[end]();
    await Promise.all(reports);
  });
}

Deno.test("HeldCall keeps early reports up to a size, and counts the others", () => {
  const held = new HeldCall();
  const sent = 3_000;
  for (let at = 0; at < sent; at++) {
    held.listeners.onProgress({ message: `${at}`.padEnd(4_000) });
    void held.listeners.onNotification({ method: `${at}`.padEnd(4_000) });
  }
  const got = { progress: 0, notification: 0 };
  const leftOut = { progress: 0, notification: 0 };
  using _attached = held.attach(new AbortController().signal, {
    onProgress: ({ message }) => strictEqual(Number(message), got.progress++),
    onNotification: ({ method }) => {
      strictEqual(Number(method), got.notification++);
      return Promise.resolve();
    },
    onLeftOut: (kind, count) => void (leftOut[kind] += count),
  });
  for (const kind of ["progress", "notification"] as const) {
    ok(got[kind] > 100 && got[kind] < 300, `${got[kind]} were kept`);
    strictEqual(got[kind] + leftOut[kind], sent);
  }
});

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

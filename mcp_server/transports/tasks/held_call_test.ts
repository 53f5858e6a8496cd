import { deepStrictEqual } from "node:assert/strict";
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
  await new Promise((resolve) => setTimeout(resolve));
});

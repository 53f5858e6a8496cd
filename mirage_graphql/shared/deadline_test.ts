import { rejects, strictEqual } from "node:assert/strict";
import { firstOf, unlessAborted } from "./deadline.ts";

/** A signal that counts its listeners. */
function countedSignal(): { controller: AbortController; signal: AbortSignal; listeners: number } {
  const controller = new AbortController();
  const { signal } = controller;
  const counted = { controller, signal, listeners: 0 };
  const { addEventListener, removeEventListener } = signal;
  const held = new Set<unknown>();
  signal.addEventListener = (type: string, listener: EventListener) => {
    held.add(listener);
    counted.listeners = held.size;
    addEventListener.call(signal, type, listener);
  };
  signal.removeEventListener = (type: string, listener: EventListener) => {
    held.delete(listener);
    counted.listeners = held.size;
    removeEventListener.call(signal, type, listener);
  };
  return counted;
}

Deno.test("firstOf() resolves after the time, and releases the signal", async () => {
  const counted = countedSignal();
  await firstOf({ signal: counted.signal, timeoutMs: 1 }).passed;
  strictEqual(counted.listeners, 0);
});

Deno.test("firstOf() rejects with the signal's reason, and leaves no timer behind", async () => {
  const counted = countedSignal();
  const { passed } = firstOf({ signal: counted.signal, timeoutMs: 3_600_000 });
  strictEqual(counted.listeners, 1);
  counted.controller.abort(new Error("gone"));
  await rejects(passed, { message: "gone" });
  strictEqual(counted.listeners, 0);
});

Deno.test("firstOf() rejects at once if the signal has already aborted", async () => {
  const signal = AbortSignal.abort(new Error("gone"));
  await rejects(firstOf({ signal, timeoutMs: 3_600_000 }).passed, { message: "gone" });
});

Deno.test("firstOf() ends on end(), which may be called more than once", async () => {
  const counted = countedSignal();
  const deadline = firstOf({ signal: counted.signal, timeoutMs: 3_600_000 });
  deadline.end();
  deadline.end();
  await deadline.passed;
  counted.controller.abort();
  strictEqual(counted.listeners, 0);
});

Deno.test("unlessAborted() settles with the promise's value or error, and releases the signal", async () => {
  const counted = countedSignal();
  strictEqual(await unlessAborted(Promise.resolve("done"), counted.signal), "done");
  const failure = Promise.reject(new Error("broken"));
  await rejects(unlessAborted(failure, counted.signal), { message: "broken" });
  strictEqual(counted.listeners, 0);
});

Deno.test("unlessAborted() rejects with the signal's reason even if the promise never settles", async () => {
  const counted = countedSignal();
  const waiting = unlessAborted(new Promise(() => {}), counted.signal);
  counted.controller.abort(new Error("gone"));
  await rejects(waiting, { message: "gone" });
  strictEqual(counted.listeners, 0);
});

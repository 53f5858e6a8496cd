import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { BusyError } from "../../domain/error.ts";
import { PlaceLease, RunGate } from "./semaphore.ts";

const { signal } = new AbortController();

Deno.test("RunGate lets runs in up to its places, and the next ones in the order they came", async () => {
  const gate = new RunGate({ places: 2, queue: 2 });
  const order: string[] = [];
  const first = await gate.enter(signal);
  const second = await gate.enter(signal);
  const third = gate.enter(signal).then(() => order.push("third"));
  const fourth = gate.enter(signal).then(() => order.push("fourth"));
  deepStrictEqual([gate.taken, gate.waiting, order], [2, 2, []]);

  first[Symbol.dispose]();
  await third;
  second[Symbol.dispose]();
  await fourth;

  deepStrictEqual([gate.taken, gate.waiting, order], [2, 0, ["third", "fourth"]]);
});

Deno.test("RunGate refuses what the queue can't hold, and says how many run and wait", async () => {
  const gate = new RunGate({ places: 1, queue: 3 });
  await gate.enter(signal);
  for (let i = 0; i < 3; i++) gate.enter(signal);
  await rejects(gate.enter(signal), (error) => {
    strictEqual(error instanceof BusyError && error.retryAfterSeconds, 3);
    strictEqual(
      error instanceof Error && error.message,
      "Cannot start another command: 1 are running and 3 are waiting, try again in 3 s",
    );
    return true;
  });
});

Deno.test("RunGate takes a run out of the queue when its signal aborts", async () => {
  const gate = new RunGate({ places: 1, queue: 1 });
  const place = await gate.enter(signal);
  const controller = new AbortController();
  const waiting = gate.enter(controller.signal);
  controller.abort("cancelled");
  await rejects(waiting, (reason) => reason === "cancelled");
  strictEqual(gate.waiting, 0);

  const next = gate.enter(signal);
  place[Symbol.dispose]();
  await next;
  strictEqual(gate.taken, 1);
});

Deno.test("RunGate refuses a signal that has aborted, though a place is free", async () => {
  const gate = new RunGate({ places: 1, queue: 0 });
  await rejects(gate.enter(AbortSignal.abort("cancelled")), (reason) => reason === "cancelled");
  strictEqual(gate.taken, 0);
});

Deno.test("RunGate frees a place once, however often it is disposed of", async () => {
  const gate = new RunGate({ places: 2, queue: 0 });
  const place = await gate.enter(signal);
  await gate.enter(signal);
  place[Symbol.dispose]();
  place[Symbol.dispose]();
  strictEqual(gate.taken, 1);
});

Deno.test("PlaceLease keeps a call's place from one run to the next", async () => {
  const gate = new RunGate({ places: 1, queue: 0 });
  const call = new PlaceLease(gate);
  const other = new PlaceLease(gate);
  for (let run = 0; run < 20; run++) {
    const place = await call.take(signal);
    await rejects(other.take(signal), BusyError);
    call.giveBack(place);
    await rejects(other.take(signal), BusyError);
  }
  strictEqual(gate.taken, 1);
});

Deno.test("PlaceLease frees the place when the call is disposed of", async () => {
  const gate = new RunGate({ places: 2, queue: 0 });
  const call = new PlaceLease(gate);
  const underWay = await call.take(signal);
  call.giveBack(await call.take(signal));
  call[Symbol.dispose]();
  strictEqual(gate.taken, 1);
  call.giveBack(underWay);
  strictEqual(gate.taken, 0);
});

Deno.test("PlaceLease keeps one place, however many runs were under way at once", async () => {
  const gate = new RunGate({ places: 3, queue: 0 });
  const call = new PlaceLease(gate);
  const places = [await call.take(signal), await call.take(signal), await call.take(signal)];
  strictEqual(gate.taken, 3);
  for (const place of places) call.giveBack(place);
  strictEqual(gate.taken, 1);
});

Deno.test("PlaceLease keeps no place while another run of the call waits for one", async () => {
  const gate = new RunGate({ places: 1, queue: 1 });
  const call = new PlaceLease(gate);
  const first = await call.take(signal);
  const second = call.take(signal);
  call.giveBack(first);
  call.giveBack(await second);
  strictEqual(gate.taken, 1);
});

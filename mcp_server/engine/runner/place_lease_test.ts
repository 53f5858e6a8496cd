import { rejects, strictEqual } from "node:assert/strict";
import { BusyError } from "../../domain/error.ts";
import { PlaceLease } from "./place_lease.ts";
import { RunGate } from "./semaphore.ts";

const { signal } = new AbortController();

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

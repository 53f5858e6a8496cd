import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { CallPermit, Semaphore } from "./semaphore.ts";
import { BusyError } from "./error.ts";

const { signal } = new AbortController();

Deno.test("Semaphore lets in as many runs as it has permits, and the next ones in order of arrival", async () => {
  const semaphore = new Semaphore({ permits: 2, queue: 2 });
  const order: string[] = [];
  const first = await semaphore.acquire(signal);
  const second = await semaphore.acquire(signal);
  const third = semaphore.acquire(signal).then(() => order.push("third"));
  const fourth = semaphore.acquire(signal).then(() => order.push("fourth"));
  deepStrictEqual([semaphore.taken, semaphore.waiting, order], [2, 2, []]);

  first[Symbol.dispose]();
  await third;
  second[Symbol.dispose]();
  await fourth;

  deepStrictEqual([semaphore.taken, semaphore.waiting, order], [2, 0, ["third", "fourth"]]);
});

Deno.test("Semaphore rejects what the queue can't hold, and says how many run and wait", async () => {
  const semaphore = new Semaphore({ permits: 1, queue: 3 });
  await semaphore.acquire(signal);
  for (let i = 0; i < 3; i++) semaphore.acquire(signal);
  await rejects(semaphore.acquire(signal), (error) => {
    strictEqual(error instanceof BusyError && error.retryAfterSeconds, 3);
    strictEqual(
      error instanceof Error && error.message,
      "Cannot start another command: 1 are running and 3 are waiting, try again in 3 s",
    );
    return true;
  });
});

Deno.test("Semaphore removes a run from the queue when its signal aborts", async () => {
  const semaphore = new Semaphore({ permits: 1, queue: 1 });
  const permit = await semaphore.acquire(signal);
  const controller = new AbortController();
  const waiting = semaphore.acquire(controller.signal);
  controller.abort("cancelled");
  await rejects(waiting, (reason) => reason === "cancelled");
  strictEqual(semaphore.waiting, 0);

  const next = semaphore.acquire(signal);
  permit[Symbol.dispose]();
  await next;
  strictEqual(semaphore.taken, 1);
});

Deno.test("Semaphore rejects an aborted signal even if a permit is free", async () => {
  const semaphore = new Semaphore({ permits: 1, queue: 0 });
  await rejects(
    semaphore.acquire(AbortSignal.abort("cancelled")),
    (reason) => reason === "cancelled",
  );
  strictEqual(semaphore.taken, 0);
});

Deno.test("Semaphore frees a permit once, however often it is disposed of", async () => {
  const semaphore = new Semaphore({ permits: 2, queue: 0 });
  const permit = await semaphore.acquire(signal);
  await semaphore.acquire(signal);
  permit[Symbol.dispose]();
  permit[Symbol.dispose]();
  strictEqual(semaphore.taken, 1);
});

Deno.test("Semaphore leaves a quarter of the permits, at least one, to calls", async () => {
  for (const [permits, jobs] of [[16, 12], [10, 7], [8, 6], [4, 3], [3, 2], [2, 1]] as const) {
    const semaphore = new Semaphore({ permits, queue: 0 });
    for (let at = 0; at < permits; at++) void semaphore.acquire(signal, "job");
    strictEqual(semaphore.taken, jobs);
    for (let at = jobs; at < permits; at++) await semaphore.acquire(signal);
    await rejects(semaphore.acquire(signal), BusyError);
  }
});

Deno.test("Semaphore lets calls go before jobs that have waited longer", async () => {
  const semaphore = new Semaphore({ permits: 2, queue: 2 });
  const order: string[] = [];
  const running = [await semaphore.acquire(signal), await semaphore.acquire(signal)];
  const enter = (name: string, priority: "call" | "job") =>
    semaphore.acquire(signal, priority).then((permit) => {
      order.push(name);
      permit[Symbol.dispose]();
    });
  const all = [
    enter("job 1", "job"),
    enter("job 2", "job"),
    enter("call 1", "call"),
    enter("call 2", "call"),
  ];
  strictEqual(semaphore.waiting, 2, "jobs are not in the queue of calls");
  running.pop()?.[Symbol.dispose]();
  await Promise.all(all);
  deepStrictEqual(order, ["call 1", "call 2", "job 1", "job 2"]);
});

Deno.test("Semaphore lets calls and jobs take turns if there is one permit", async () => {
  const semaphore = new Semaphore({ permits: 1, queue: 9 });
  const order: string[] = [];
  const running = await semaphore.acquire(signal);
  const enter = (name: "call" | "job") =>
    semaphore.acquire(signal, name).then((permit) => {
      order.push(name);
      permit[Symbol.dispose]();
    });
  const all = [enter("call"), enter("call"), enter("job"), enter("job"), enter("call")];
  running[Symbol.dispose]();
  await Promise.all(all);
  deepStrictEqual(order, ["job", "call", "job", "call", "call"]);
});

Deno.test("CallPermit keeps a call's permit from one run to the next", async () => {
  const semaphore = new Semaphore({ permits: 1, queue: 0 });
  const call = new CallPermit(semaphore);
  const other = new CallPermit(semaphore);
  for (let run = 0; run < 20; run++) {
    const permit = await call.acquire(signal);
    await rejects(other.acquire(signal), BusyError);
    call.release(permit);
    await rejects(other.acquire(signal), BusyError);
  }
  strictEqual(semaphore.taken, 1);
});

Deno.test("CallPermit frees the permit when the call is disposed of", async () => {
  const semaphore = new Semaphore({ permits: 2, queue: 0 });
  const call = new CallPermit(semaphore);
  const underWay = await call.acquire(signal);
  call.release(await call.acquire(signal));
  call[Symbol.dispose]();
  strictEqual(semaphore.taken, 1);
  call.release(underWay);
  strictEqual(semaphore.taken, 0);
});

Deno.test("CallPermit keeps one permit, however many runs there were at once", async () => {
  const semaphore = new Semaphore({ permits: 3, queue: 0 });
  const call = new CallPermit(semaphore);
  const permits = [
    await call.acquire(signal),
    await call.acquire(signal),
    await call.acquire(signal),
  ];
  strictEqual(semaphore.taken, 3);
  for (const permit of permits) call.release(permit);
  strictEqual(semaphore.taken, 1);
});

Deno.test("CallPermit keeps no permit while another run of the call waits for one", async () => {
  const semaphore = new Semaphore({ permits: 1, queue: 1 });
  const call = new CallPermit(semaphore);
  const first = await call.acquire(signal);
  const second = call.acquire(signal);
  call.release(first);
  call.release(await second);
  strictEqual(semaphore.taken, 1);
});

Deno.test("CallPermit keeps no permit because of a helper, but one that it had before", async () => {
  const semaphore = new Semaphore({ permits: 2, queue: 0 });
  const call = new CallPermit(semaphore);
  call.release(await call.acquire(signal), { helper: true });
  strictEqual(semaphore.taken, 0);
  call.release(await call.acquire(signal));
  call.release(await call.acquire(signal), { helper: true });
  strictEqual(semaphore.taken, 1);
});

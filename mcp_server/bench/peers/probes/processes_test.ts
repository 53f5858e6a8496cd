import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { uniqueSleep } from "../../../testing/processes.ts";
import { killAll, memoryOf, parseStat, parseStatus, sleepsOf } from "./processes.ts";

Deno.test("parseStatus() reads what a process uses, and has used at most, in MiB", () => {
  const text = "Name:\tdeno\nVmHWM:\t  204800 kB\nVmRSS:\t   92160 kB\nThreads:\t7\n";
  deepStrictEqual(parseStatus(text), { now: 90, peak: 200 });
  strictEqual(parseStatus("Name:\tkthreadd\nThreads:\t1\n"), undefined);
  strictEqual(parseStatus(""), undefined);
});

Deno.test("parseStat() reads the parent and the time of a process, whatever its name", () => {
  const fields = "S 7 1 1 0 -1 4194560 1 2 3 4 30 12 0 0 20 0";
  for (const name of ["sleep", "a) S 9 9", "tmux: server"]) {
    deepStrictEqual(parseStat(`42 (${name}) ${fields}`), { parent: 7, ticks: 42 }, name);
  }
  strictEqual(parseStat(""), undefined);
});

Deno.test("sleepsOf() finds the sleep itself, not the shell that starts it, until it is killed", async () => {
  const seconds = uniqueSleep();
  const args = ["-c", `echo started; sleep ${seconds}; true`];
  const shell = new Deno.Command("sh", { args, stdout: "piped" }).spawn();
  await shell.stdout.getReader().read();
  while (sleepsOf(seconds).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const [sleep = 0, ...more] = sleepsOf(seconds);
  deepStrictEqual(more, []);
  ok(sleep !== shell.pid && memoryOf(shell.pid).now > memoryOf(sleep).now);
  killAll([sleep]);
  await shell.status;
  deepStrictEqual(sleepsOf(seconds), []);
  ok(Number.isNaN(memoryOf(shell.pid).now));
});

/// <reference lib="deno.worker" />
import type { WatchdogMessage } from "./watchdog.ts";

/** The thread of `startWatchdog()`: it looks at a counter, and ends the process if that stays. */
let what = "";
/** Inputs until something else was watched: before its first input, it is opened. */
let before = 0;

self.addEventListener("message", ({ data }: MessageEvent<WatchdogMessage>) => {
  what = data.what;
  before = data.before ?? 0;
  if (data.count !== undefined) look(data.count, data.seconds ?? 60);
});

function look(count: Int32Array, seconds: number): void {
  let last = 0;
  let since = performance.now();
  setInterval(() => {
    const now = Atomics.load(count, 0);
    if (now !== last || now === before) {
      last = now;
      since = performance.now();
    } else if (performance.now() - since > seconds * 1_000) {
      console.error(`No input ended within ${seconds} s: ${what}, after ${now} inputs`);
      Deno.kill(Deno.pid, "SIGKILL");
    }
  }, 500);
}

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { SwitchLog } from "./output_pieces.ts";

const DAY_MS = 86_400_000;

Deno.test("SwitchLog keeps each switch between the streams, and a time for each second", () => {
  const log = new SwitchLog();
  log.begin(1_000);
  log.take("stdout", { stdout: 0, stderr: 0 }, 1_100);
  log.take("stdout", { stdout: 5, stderr: 0 }, 1_900);
  log.take("stdout", { stdout: 6, stderr: 0 }, 2_000);
  log.take("stderr", { stdout: 7, stderr: 0 }, 2_100);
  log.take("stderr", { stdout: 7, stderr: 3 }, 3_000);
  log.take("stderr", { stdout: 7, stderr: 4 }, 60_000);
  deepStrictEqual(log.release(), [
    { stdout: 6, stderr: 0, at: 2_000 },
    { stdout: 7, stderr: 0, at: 2_100 },
    { stdout: 7, stderr: 4, at: 60_000 },
  ]);
  deepStrictEqual(log.release(), []);
});

Deno.test("SwitchLog keeps few times of a run that writes all day", () => {
  const log = new SwitchLog();
  log.begin(0);
  for (let at = 0; at < DAY_MS; at += 100) {
    log.take("stdout", { stdout: at, stderr: 0 }, at);
  }
  const times = log.release().map(({ at = 0 }) => at);
  ok(times.length > 1_000 && times.length < 3_200, `${times.length} times`);
  strictEqual(times[0], 1_000);
});

import { deepStrictEqual } from "node:assert/strict";
import { createTestLog } from "../testing/test_runner.ts";
import { JobTaker } from "./fleet_jobs.ts";

/** More turns than one search for jobs takes. */
const TURNS = 12;

Deno.test("JobTaker looks for jobs after each call of look(), whenever the last search ends", async () => {
  for (let turns = 0; turns < TURNS; turns++) {
    let searches = 0;
    const taker = new JobTaker({
      store: {
        take: () => {
          searches++;
          return Promise.resolve([]);
        },
        passOn: () => Promise.resolve(),
        stopTaking: () => {},
        onWork: () => ({ [Symbol.dispose]: () => {} }),
      },
      room: () => 1,
      onBroken: () => {
        throw new TypeError("Cannot end a job: none is broken");
      },
      launch: () => {},
      log: createTestLog(),
    });
    taker.look();
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const before = searches;
    taker.look();
    await new Promise((resolve) => setTimeout(resolve));
    await taker.stop();
    deepStrictEqual([before, searches], [1, 2], `after ${turns} turns`);
  }
});

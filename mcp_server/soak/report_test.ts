import { deepStrictEqual } from "node:assert/strict";
import { judge, type SoakFigures } from "./report.ts";
import { Tally } from "./tally.ts";

const LINES = { starts: 0, ends: 0, notAllowed: 0, refused: 0, broken: 0 };

/** A long run with one call, after which all is as it must be. */
function goodFigures(): SoakFigures {
  const tally = new Tally();
  tally.answered({ transport: "HTTP API", server: "http" });
  return {
    seconds: 3_600,
    tally,
    idle: { jobs: 0, commands: 0, survivors: 0, calls: 1, statements: 0 },
    samples: [{ at: 0, memory: 100, descriptors: 50 }, { at: 1, memory: 110, descriptors: 60 }],
    slope: 0.1,
    processesLeft: [],
    exitCode: 0,
    audit: { http: { ...LINES, starts: 1, ends: 1 }, stdio: LINES, fleet: LINES },
    jobs: { completed: 3 },
    groups: 0,
    temporaryFiles: 0,
    unhandled: [],
    warnings: {},
    stdioServers: 2,
    stdioExitCodes: [],
    fleetSamples: [{ at: 0, memory: 90, descriptors: 50 }, { at: 1, memory: 91, descriptors: 51 }],
    fleet: { restarts: 2, exitCodes: [], jobs: { completed: 1 } },
  };
}

const FAULTS: readonly [finding: string, fault: Partial<SoakFigures>][] = [
  ["processes left", { processesLeft: ["sleep 600"] }],
  ["processes that survived a stop", { idle: { ...goodFigures().idle, survivors: 1 } }],
  ["commands, jobs and statements still running", { idle: { ...goodFigures().idle, jobs: 1 } }],
  ["descriptors, start and end", {
    samples: [{ at: 0, memory: 1, descriptors: 50 }, { at: 1, memory: 1, descriptors: 91 }],
  }],
  ["memory, growth in the second half", { slope: 4.1 }],
  ["audit, HTTP: starts, ends, calls", {
    audit: { ...goodFigures().audit, http: { ...LINES, starts: 2, ends: 1 } },
  }],
  ["audit, stdio: starts, ends, calls", {
    audit: { ...goodFigures().audit, stdio: { ...LINES, starts: 1, ends: 1 } },
  }],
  ["audit, fleet: starts, ends, calls", {
    audit: { ...goodFigures().audit, fleet: { ...LINES, starts: 1, ends: 1 } },
  }],
  ["calls in the audit and in the metrics", { idle: { ...goodFigures().idle, calls: 2 } }],
  ["jobs in the store", { jobs: { completed: 3, running: 1 } }],
  ["temporary files left", { temporaryFiles: 1 }],
  ["control groups left", { groups: 1 }],
  ["unhandled rejections", { unhandled: ["line"] }],
  ["warnings in the logs", { warnings: { "a tool crashed": 1 } }],
  ["exit code", { exitCode: 1 }],
  ["fleet: descriptors, start and end", {
    fleetSamples: [{ at: 0, memory: 1, descriptors: 50 }, { at: 1, memory: 1, descriptors: 91 }],
  }],
  ["fleet: restarts, exit codes other than 0", {
    fleet: { restarts: 1, exitCodes: [1], jobs: {} },
  }],
  ["fleet: jobs in the store", { fleet: { restarts: 1, exitCodes: [], jobs: { queued: 1 } } }],
  ["servers over stdio, exit codes other than 0", { stdioExitCodes: ["137"] }],
];

Deno.test("judge() accepts good figures, and rejects each that is not", () => {
  const bad = (figures: SoakFigures) =>
    judge(figures).filter(({ good }) => !good).map(({ what }) => what);
  deepStrictEqual(bad(goodFigures()), []);
  for (const [finding, fault] of FAULTS) {
    deepStrictEqual(bad({ ...goodFigures(), ...fault }), [finding]);
  }
  const wrong = goodFigures();
  wrong.tally.isWrong("an answer");
  deepStrictEqual(bad(wrong), ["wrong answers"]);
});

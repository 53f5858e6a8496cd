import { strictEqual, throws } from "node:assert/strict";
import { nextVersion } from "./next_version.ts";

const STEPS: readonly [current: string, step: string, next: string][] = [
  ["0.1.0", "patch", "0.1.1"],
  ["0.1.9", "minor", "0.2.0"],
  ["0.9.9", "major", "1.0.0"],
  ["1.9.3", "patch", "1.9.4"],
  ["1.9.3", "1.10.0", "1.10.0"],
  ["1.9.3", "2.0.0", "2.0.0"],
];

for (const [current, step, next] of STEPS) {
  Deno.test(`nextVersion() goes from ${current} by ${step} to ${next}`, () => {
    strictEqual(nextVersion(current, step), next);
  });
}

const REFUSED: readonly [current: string, step: string, message: RegExp][] = [
  ["0.1.0", "0.1.0", /^RangeError: Cannot raise the version 0.1.0 to "0.1.0": it must come later$/],
  ["1.2.3", "1.1.9", /it must come later$/],
  ["1.2.3", "", /to "": it must be patch, minor, major or a version such as 1.2.3$/],
  ["1.2.3", "v2.0.0", /to "v2.0.0": it must be/],
  ["1.2.3", "02.0.0", /to "02.0.0": it must be/],
  ["1.2", "patch", /^RangeError: Cannot raise the version "1.2": it must be/],
];

for (const [current, step, message] of REFUSED) {
  Deno.test(`nextVersion() rejects going from ${current} by "${step}"`, () => {
    throws(() => nextVersion(current, step), message);
  });
}

import * as fc from "fast-check";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { JOB_START } from "../tool/job.ts";
import { parseEventId, toEventId } from "./job_output.ts";

Deno.test("parseEventId() reads what toEventId() writes", () => {
  const cursors = fc.record({
    stdout: fc.nat(10 ** 12),
    stderr: fc.nat(10 ** 12),
    events: fc.nat(10 ** 6),
  }, { noNullPrototype: true });
  fc.assert(fc.property(cursors, fc.boolean(), (cursor, isOver) => {
    deepStrictEqual(parseEventId(toEventId(cursor, isOver)), { cursor, isOver });
  }));
});

Deno.test("parseEventId() begins at the start without an id", () => {
  for (const header of [null, ""]) {
    deepStrictEqual(parseEventId(header), { cursor: JOB_START, isOver: false });
  }
});

for (const id of ["1", "1-2", "1-2-3-", "1-2-3-4", "-1-2-3", "1-2-x", "1.5-2-3", "1-2-3-END"]) {
  Deno.test(`parseEventId() rejects "${id}"`, () => strictEqual(parseEventId(id), undefined));
}

Deno.test("parseEventId() rejects numbers that JavaScript can't represent", () => {
  strictEqual(parseEventId(`${"9".repeat(16)}-0-0`), undefined);
});

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { parseTraceparent, traceparentOf } from "./tracing.ts";

const VALID = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

Deno.test("parseTraceparent() reads the ids, and nothing that the specification forbids", () => {
  deepStrictEqual(parseTraceparent(VALID), {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    traceFlags: 1,
  });
  const invalid = [
    VALID.replace("00-", "ff-"),
    VALID.toUpperCase(),
    VALID.replace("0af7651916cd43dd8448eb211c80319c", "0".repeat(32)),
    VALID.replace("b7ad6b7169203331", "0".repeat(16)),
    `${VALID}\nX=1`,
    `${VALID}-more`,
    "",
    7,
    undefined,
  ];
  for (const value of invalid) strictEqual(parseTraceparent(value), undefined, String(value));
});

Deno.test("traceparentOf() takes the metadata of the call before the header of its request", () => {
  const header = VALID.replace("b7ad", "cafe");
  strictEqual(traceparentOf({ traceparent: VALID }, header), VALID);
  strictEqual(traceparentOf({ traceparent: "nonsense" }, header), header);
  strictEqual(traceparentOf({}, null), undefined);
});

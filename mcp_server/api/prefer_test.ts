import * as fc from "fast-check";
import { deepStrictEqual, ok } from "node:assert/strict";
import { parsePrefer, type Preferences } from "./http_api.ts";

const HEADERS: readonly [header: string, preferences: Preferences][] = [
  ["", { respondAsync: false }],
  ["respond-async", { respondAsync: true }],
  ["Respond-Async, WAIT=5", { respondAsync: true, waitSeconds: 5 }],
  ["wait=5,respond-async", { respondAsync: true, waitSeconds: 5 }],
  [' respond-async ;x=1 , wait = "7" ; y', { respondAsync: true, waitSeconds: 7 }],
  ["respond-async, wait=0", { respondAsync: true, waitSeconds: 0 }],
  ["respond-async, wait=61", { respondAsync: true, waitSeconds: 60 }],
  ["respond-async, wait=99999999999999999999", { respondAsync: true, waitSeconds: 60 }],
  ["respond-async, wait=2, wait=9", { respondAsync: true, waitSeconds: 2 }],
  ["respond-async, wait=-1", { respondAsync: true }],
  ["respond-async, wait=soon", { respondAsync: true }],
  ["respond-async, wait", { respondAsync: true }],
  ["wait=3", { respondAsync: false, waitSeconds: 3 }],
  ["return=minimal, respond-asynchronously", { respondAsync: false }],
  ['x="a, respond-async, b"', { respondAsync: false }],
  ['x="a\\", respond-async', { respondAsync: false }],
  ["handling=lenient, respond-async", { respondAsync: true }],
];

for (const [header, preferences] of HEADERS) {
  Deno.test(`parsePrefer() reads ${JSON.stringify(header)}`, () => {
    deepStrictEqual(parsePrefer(header), preferences);
  });
}

Deno.test("parsePrefer() accepts any text, and takes linear time", () => {
  fc.assert(fc.property(fc.string(), (header) => {
    const { waitSeconds = 0 } = parsePrefer(header);
    ok(waitSeconds >= 0 && waitSeconds <= 60);
  }));
  for (const part of ['"', '"\\', ",", ' ;="', 'a="b"\'']) parsePrefer(part.repeat(100_000));
});

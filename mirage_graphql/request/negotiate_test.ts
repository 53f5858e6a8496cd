import { strictEqual } from "node:assert/strict";
import { negotiate } from "./negotiate.ts";

const JSON_TYPE = "application/json";
const GRAPHQL = "application/graphql-response+json";

Deno.test("negotiate() picks the type that the client likes best", () => {
  const cases: readonly (readonly [string | undefined, string | undefined])[] = [
    [undefined, JSON_TYPE],
    ["", JSON_TYPE],
    ["*/*", JSON_TYPE],
    ["application/*", JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [GRAPHQL, GRAPHQL],
    ["application/JSON; charset=utf-8", JSON_TYPE],
    [`${GRAPHQL},${JSON_TYPE};q=0.9`, GRAPHQL],
    [`${JSON_TYPE};q=0.9, ${GRAPHQL}`, GRAPHQL],
    [`${GRAPHQL}; charset=utf-8, ${JSON_TYPE}; charset=utf-8`, GRAPHQL],
    [`${JSON_TYPE}, ${GRAPHQL}`, JSON_TYPE],
    ["application/json, text/plain, */*", JSON_TYPE],
    [`text/html, */*;q=0.1`, JSON_TYPE],
    [`${JSON_TYPE};q=0, */*`, GRAPHQL],
    ["text/html", undefined],
    [`${JSON_TYPE};q=0`, undefined],
    [`${JSON_TYPE};q=x`, undefined],
  ];
  for (const [accept, type] of cases) strictEqual(negotiate(accept), type, accept);
});

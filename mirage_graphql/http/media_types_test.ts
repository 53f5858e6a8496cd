import { strictEqual } from "node:assert/strict";
import { incrementalSpecOf, negotiate, prefersEventStream } from "./media_types.ts";

const JSON_TYPE = "application/json";
const GRAPHQL = "application/graphql-response+json";

Deno.test("negotiate() chooses the media type that the client prefers", () => {
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
    ["*/*;q=0", undefined],
    ["multipart/mixed;deferSpec=2099", JSON_TYPE],
    [`multipart/mixed, ${GRAPHQL}`, GRAPHQL],
    ["multipart/mixed;q=0", undefined],
    [`${JSON_TYPE};q=0`, undefined],
    [`${JSON_TYPE};q=x`, undefined],
  ];
  for (const [accept, type] of cases) strictEqual(negotiate(accept), type, String(accept));
});

Deno.test("prefersEventStream() distinguishes subscriptions from queries that also accept a stream", () => {
  const urqlQuery = "application/graphql-response+json, application/graphql+json, " +
    "application/json, text/event-stream, multipart/mixed";
  const cases: readonly (readonly [string | null, boolean])[] = [
    ["text/event-stream", true],
    ["text/event-stream, multipart/mixed", true],
    ["Text/Event-Stream, application/json", true],
    ["application/json;q=0.5, text/event-stream", true],
    [urqlQuery, false],
    ["text/event-stream;q=0.5, application/json", false],
    ["text/event-stream;q=0", false],
    ["*/*", false],
    [null, false],
  ];
  for (const [accept, isPreferred] of cases) {
    strictEqual(prefersEventStream(accept), isPreferred, String(accept));
  }
});

Deno.test("incrementalSpecOf() chooses the format that a client names and knows", () => {
  const old = "deferSpec=20220824";
  const current = "incrementalSpec=v0.2";
  const cases: readonly (readonly [string | null, string | undefined])[] = [
    ["multipart/mixed;deferSpec=20220824,application/json", old],
    ["application/json, multipart/mixed", old],
    ["Multipart/Mixed; boundary=graphql; IncrementalSpec=v0.2", current],
    ['multipart/mixed; incrementalSpec = "v0.2"', current],
    [`multipart/mixed;${old};q=0.5, multipart/mixed;${current}`, current],
    [`multipart/mixed;${old}, multipart/mixed;${current}`, old],
    ["multipart/mixed;incrementalSpec=v0.9, multipart/mixed;deferSpec=20220824", old],
    ["multipart/mixed;incrementalSpec=v0.9, application/json", undefined],
    ["multipart/mixed;deferSpec=20991231", undefined],
    ['multipart/mixed;subscriptionSpec="1.0", application/json', undefined],
    ["application/json, multipart/mixed;q=0", undefined],
    ["multipart/form-data;incrementalSpec=v0.2", undefined],
    ["*/*", undefined],
    [null, undefined],
  ];
  for (const [accept, spec] of cases) strictEqual(incrementalSpecOf(accept), spec, String(accept));
});

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { MockRequest } from "../execution/graphql_request.ts";
import {
  incrementalSpecOf,
  negotiate,
  type ParseOptions,
  parseRequest,
  prefersEventStream,
} from "./http_request.ts";

const query = "{ hello }";
const ONE = { query, variables: undefined, operationName: undefined, extensions: undefined };

function parsed(request: MockRequest, options?: ParseOptions): unknown {
  const result = parseRequest(request, options);
  return result.kind === "requests" ? result.requests : `${result.status} ${result.reason}`;
}

function parsedBody(body: unknown, options?: ParseOptions): unknown {
  return parsed({ requestBody: body }, options);
}

Deno.test("parseRequest() reads a body as string or as object", () => {
  deepStrictEqual(parsedBody({ query }), [ONE]);
  const full = { query, variables: { a: 1 }, operationName: "A", extensions: { b: 2 } };
  deepStrictEqual(parsedBody(JSON.stringify(full)), [full]);
  deepStrictEqual(parsedBody({ query, variables: null, operationName: null, extensions: null }), [
    { query, variables: null, operationName: undefined, extensions: null },
  ]);
  deepStrictEqual(parsedBody({ query, operationName: "" }), [ONE]);
});

Deno.test("parseRequest() rejects invalid bodies with 400, and reports what is wrong", () => {
  const refusals: readonly (readonly [unknown, string])[] = [
    [undefined, "the body: it must be a JSON object, got nothing"],
    [null, "the body: it must be a JSON object, got null"],
    ["17", "the body: it must be a JSON object, got the number 17"],
    [{ query: 1 }, '"query": it must be a string, got the number 1'],
    [{ query: {} }, '"query": it must be a string, got an object'],
    [{ query, variables: [] }, '"variables": it must be an object, got an array'],
    [{ query, variables: "{}" }, '"variables": it must be an object, got the string {}'],
    [{ query, operationName: 1 }, '"operationName": it must be a string, got the number 1'],
    [{ query, extensions: true }, '"extensions": it must be an object, got the boolean true'],
  ];
  for (const [body, reason] of refusals) strictEqual(parsedBody(body), `400 Cannot read ${reason}`);
  strictEqual(parsedBody({}), '400 Cannot answer the request: its "query" is missing');
  strictEqual(String(parsedBody("{")).slice(0, 42), "400 Cannot read the body: it is not JSON, ");
});

Deno.test("parseRequest() reads the query string of a GET", () => {
  const queryParams = {
    query,
    variables: '{"a":1}',
    operationName: "A",
    extensions: '{"b":2}',
  };
  deepStrictEqual(parsed({ method: "GET", queryParams }), [
    { query, variables: { a: 1 }, operationName: "A", extensions: { b: 2 } },
  ]);
  deepStrictEqual(parsed({ method: "get", queryParams: { query, variables: "" } }), [ONE]);
  strictEqual(
    parsed({ method: "GET" }),
    '400 Cannot answer the request: its "query" is missing',
  );
  strictEqual(
    parsed({ method: "GET", queryParams: { query, variables: "{" } }),
    '400 Cannot read parameter "variables": it is not JSON',
  );
  strictEqual(
    parsed({ method: "GET", queryParams: { query, extensions: "[]" } }),
    '400 Cannot read "extensions": it must be an object, got an array',
  );
});

Deno.test("parseRequest() rejects other methods with 405 and Allow", () => {
  for (const method of ["PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]) {
    const result = parseRequest({ method, requestBody: { query } });
    deepStrictEqual(result, {
      kind: "refusal",
      status: 405,
      reason: `Cannot answer ${method}: send GET or POST`,
      headers: { Allow: "GET, POST" },
    });
  }
});

Deno.test("parseRequest() rejects bodies that are not JSON in UTF-8 with 415", () => {
  const typed = (type: string) =>
    parsed({ requestBody: { query }, requestHeaders: { "Content-Type": type } });
  const types = ["application/json", "application/JSON; charset=UTF-8", "application/graphql+json"];
  for (const type of types) deepStrictEqual(typed(type), [ONE], type);
  const refused = [
    "text/plain;charset=UTF-8",
    "application/jsonp",
    "application/json; charset=iso-8859-1",
    "multipart/form-data",
    "",
  ];
  for (const type of refused) {
    const reason =
      `Cannot read a body of type "${type}": send it as Content-Type: application/json`;
    strictEqual(typed(type), `415 ${reason}`);
  }
});

Deno.test("parseRequest() accepts a body without a type, unless one is required", () => {
  deepStrictEqual(parsedBody({ query }, { isTypeRequired: false }), [ONE]);
  strictEqual(
    parsedBody({ query }, { isTypeRequired: true }),
    '415 Cannot read a body of type "": send it as Content-Type: application/json',
  );
});

Deno.test("parseRequest() accepts a bounded batch if the app opts in", () => {
  const batchOf = (length: number) => Array.from({ length }, () => ({ query }));
  strictEqual(
    parsedBody(batchOf(1)),
    "400 Cannot answer an array of requests: batches are disabled, see the option batch",
  );
  deepStrictEqual(parsedBody(batchOf(10), { batch: true }), batchOf(10).map(() => ONE));
  strictEqual(
    parsedBody(batchOf(11), { batch: true }),
    "413 Cannot answer 11 requests at once: 10 is the most",
  );
  deepStrictEqual(parsedBody(batchOf(2), { batch: { max: 2 } }), [ONE, ONE]);
  strictEqual(
    parsedBody(batchOf(3), { batch: { max: 2 } }),
    "413 Cannot answer 3 requests at once: 2 is the most",
  );
  strictEqual(parsedBody([], { batch: true }), "400 Cannot answer an empty array of requests");
  strictEqual(
    parsedBody([{ query }, 1], { batch: true }),
    "400 Cannot read the body: it must be a JSON object, got the number 1",
  );
});

Deno.test("parseRequest() reads the id of a document in any of its names", () => {
  const hash = { persistedQuery: { version: 1, sha256Hash: "ab12" } };
  const ofHash = { id: "ab12", isHash: true };
  const ofId = { id: "People", isHash: false };
  const cases: [object, object][] = [
    [{ extensions: hash }, ofHash],
    [{ query: null, extensions: hash }, ofHash],
    [{ query: "{ hello }", extensions: hash }, ofHash],
    [{ documentId: "People" }, ofId],
    [{ id: "People", variables: {} }, ofId],
  ];
  for (const [requestBody, persisted] of cases) {
    const parsed = parseRequest({ requestBody });
    deepStrictEqual(parsed.kind === "requests" && parsed.requests[0]?.persisted, persisted);
  }
  const queryParams = { extensions: JSON.stringify(hash) };
  const parsed = parseRequest({ method: "GET", queryParams });
  deepStrictEqual(parsed.kind === "requests" && parsed.requests[0]?.persisted, ofHash);
  const missing = '400 Cannot answer the request: its "query" is missing';
  for (const body of [{ documentId: "" }, { id: 7 }, { extensions: { persistedQuery: {} } }]) {
    strictEqual(parsedBody(body), missing);
  }
});

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

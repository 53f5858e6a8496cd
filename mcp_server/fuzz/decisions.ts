import { notStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { checkAnswer } from "./check_answer.ts";
import { startKnownJobs } from "./known_job.ts";

/** A request about a call or a job that waits, or for a part of an output. */
interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: string;
}

const WORD = fc.oneof(
  fc.constantFrom('"approve"', '"decline"', '"accept"', '"cancel"', '"Approve"', "null", "1", "{}"),
  fc.json(),
);
const BODY = fc.oneof(
  WORD.map((word) => `{"decision":${word}}`),
  fc.tuple(WORD, fc.json()).map(([word, content]) =>
    `{"question-1":{"action":${word},"content":${content}}}`
  ),
  fc.tuple(fc.constantFrom("__proto__", "question-1", ""), WORD).map(([key, word]) =>
    `{"${key}":{"action":${word}},"decision":"approve"}`
  ),
  fc.json(),
);
const PLACE = fc.oneof(
  fc.constantFrom("0-0", "1-0", "9-9", "99999-0", "1-", "-", "0x1-1", `${"9".repeat(15)}-1`, ""),
  fc.string(),
);
const LIMIT = fc.oneof(fc.nat(9_000).map(String), fc.constantFrom("0", "-1", "1e3", "999999999"));

/** Decisions, answers to questions, input and parts of the output of jobs. */
export const decisions: Surface = defineSurface<Sent>({
  name: "mcp-decisions",
  share: 0.3,
  open: async () => {
    const { server, path, [Symbol.asyncDispose]: dispose } = await startKnownJobs();
    const [, id = ""] = /([^/]+)$/.exec(path) ?? [];
    const ids = fc.oneof(fc.constant(id), edited(fc.constant(id)), fc.string()).map((text) =>
      encodeURIComponent(text.toWellFormed())
    );
    const posted = fc.tuple(ids, fc.constantFrom("approvals/_", "jobs/_/answer", "jobs/_/stdin"))
      .map(([one, way]) => `/api/${way.replace("_", () => one)}`);
    const parts = fc.record({ before: PLACE, limit: LIMIT }, {
      requiredKeys: [],
      noNullPrototype: true,
    }).map((query) => `${path}/output?${new URLSearchParams(query)}`);
    return {
      inputs: fc.oneof(
        fc.record({
          method: fc.constant("POST" as const),
          path: posted,
          body: fc.oneof(BODY, edited(BODY)),
        }),
        fc.record({ method: fc.constant("GET" as const), path: parts, body: fc.constant("") }),
      ),
      check: async ({ method, path, body: sent }) => {
        const headers = { "content-type": "application/json" };
        const init = method === "POST" ? { method, headers, body: sent } : {};
        const response = await server.send(path, init);
        const { status } = response;
        const body = await response.text();
        checkAnswer({ status, body, type: response.headers.get("content-type") ?? "" });
        // No call waits, and no job takes input or has asked anything.
        if (method === "POST") notStrictEqual(status, 200, `it was accepted: ${body}`);
        else if (status === 200) ok(Array.isArray(JSON.parse(body).parts), body);
      },
      end: server.faults,
      [Symbol.asyncDispose]: dispose,
    };
  },
});

import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import type { Job } from "../tool/job.ts";
import { bearerOf } from "../testing/callers_file.ts";
import { postMcp } from "../testing/mcp_request.ts";
import { checkAnswer, checkRpc } from "./check_answer.ts";
import { edited } from "../../test_support/fuzz/edited.ts";
import { CALLERS, type FuzzServer } from "./fuzz_server.ts";
import { startKnownJobs } from "./known_job.ts";

/** A page of jobs, as the server sends it. */
interface JobPage {
  readonly jobs: readonly Job[];
  readonly nextCursor?: string;
}

/** A question about the jobs of a caller. */
type Question =
  | { readonly kind: "pages"; readonly limit: number }
  | { readonly kind: "list"; readonly query: string }
  | { readonly kind: "job"; readonly id: string; readonly below: string }
  | {
    readonly kind: "mcp";
    readonly method: string;
    readonly params: object;
    readonly revision: "2025-11-25" | "2026-07-28";
  };

/** Ids of tasks and jobs, cursors and limits: every page, and nothing but an error for the rest. */
export const listCursors: Surface = defineSurface<Question>({
  name: "mcp-list-cursors",
  share: 0.3,
  open: async () => {
    const { server, ids, [Symbol.asyncDispose]: dispose } = await startKnownJobs();
    const cursor = await firstCursor(server);
    return {
      inputs: questions(ids, cursor),
      check: (question) => ask(server, question, ids),
      end: server.faults,
      [Symbol.asyncDispose]: dispose,
    };
  },
});

function questions(ids: readonly string[], cursor: string): fc.Arbitrary<Question> {
  const cursors = fc.oneof(fc.constant(cursor), edited(fc.constant(cursor)), fc.string());
  const id = fc.oneof(fc.constantFrom(...ids), edited(fc.constantFrom(...ids)), fc.string());
  const text = fc.oneof(
    fc.constantFrom("", "0", "1", "-1", "1.5", "1e9", "9".repeat(400), "running", "completed", "%"),
    fc.string(),
  );
  const query = fc.record({ limit: text, state: text, tool: text, cursor: cursors, wait: text }, {
    requiredKeys: [],
    noNullPrototype: true,
  }).map((values) => `${new URLSearchParams(values)}`);
  return fc.oneof(
    fc.record({ kind: fc.constant("pages" as const), limit: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ kind: fc.constant("list" as const), query }),
    fc.record({
      kind: fc.constant("job" as const),
      id,
      below: fc.constantFrom("", "/stdout", "/stderr", "/events", "?wait=x", "?wait=-5", "/none"),
    }),
    fc.record({
      kind: fc.constant("mcp" as const),
      method: fc.constantFrom("tasks/get", "tasks/list", "tasks/result", "tools/list"),
      params: fc.oneof(
        fc.record({ taskId: id }),
        fc.record({ cursor: cursors }),
        fc.record({ taskId: fc.jsonValue({ maxDepth: 1 }), cursor: fc.jsonValue({ maxDepth: 1 }) }),
      ),
      revision: fc.constantFrom<"2025-11-25" | "2026-07-28">("2025-11-25", "2026-07-28"),
    }),
  );
}

async function ask(server: FuzzServer, question: Question, ids: readonly string[]): Promise<void> {
  switch (question.kind) {
    case "pages":
      return deepStrictEqual(await allPages(server, question.limit), ids);
    case "list":
      return await checkResponse(await server.send(`/api/jobs?${question.query}`));
    case "job":
      return await checkResponse(
        await server.send(
          `/api/jobs/${encodeURIComponent(question.id.toWellFormed())}${question.below}`,
        ),
      );
    case "mcp": {
      const { method, params, revision } = question;
      const headers = { ...bearerOf(CALLERS.all), ...nameHeader(params) };
      const response = await postMcp(server.url, { method, params }, { revision, headers });
      const answer = await checkResponse(response, true);
      // The SDK says so of a cursor of a wrong type.
      const isSdk = method === "tools/list" && answer.includes("invalid_type");
      ok(isSdk || !answer.includes('"code":-32603'), `an internal error: ${answer}`);
    }
  }
}

async function checkResponse(response: Response, isRpc?: false): Promise<void>;
async function checkResponse(response: Response, isRpc: true): Promise<string>;
async function checkResponse(response: Response, isRpc = false): Promise<string | void> {
  const body = await response.text();
  const type = response.headers.get("content-type") ?? "";
  checkAnswer({ status: response.status, type, body });
  if (!isRpc) return;
  checkRpc({ status: response.status, type, body });
  return body;
}

async function allPages(server: FuzzServer, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let next = ""; ids.length < 100;) {
    const response = await server.send(`/api/jobs?limit=${limit}&cursor=${next}`);
    const { jobs, nextCursor }: JobPage = await response.json();
    ok(jobs.length <= limit, `${jobs.length} jobs on a page of ${limit}`);
    ids.push(...jobs.map(({ id }) => id));
    if (nextCursor === undefined) return ids;
    next = encodeURIComponent(nextCursor);
  }
  return ids;
}

async function firstCursor(server: FuzzServer): Promise<string> {
  const { nextCursor = "" }: JobPage = await (await server.send("/api/jobs?limit=2")).json();
  return nextCursor;
}

/** The newest revision repeats the id of a task in a header, which must be visible ASCII. */
function nameHeader(params: object): Record<string, string> {
  const name = "taskId" in params ? params.taskId : undefined;
  return { "mcp-name": typeof name === "string" ? name.replaceAll(/[^\x21-\x7e]/g, "") : "x" };
}

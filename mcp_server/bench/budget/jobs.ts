import { deepStrictEqual, match, ok } from "node:assert/strict";
import { isJsonObject } from "../../shared/json.ts";
import type { Agent } from "./agent.ts";
import type { Place } from "./place.ts";

/** A job that an agent does with the tools of this server. */
export interface BudgetJob {
  readonly name: string;
  /** Most characters of its calls and their contents. */
  readonly limit: number;
  /** Whether it needs hosts to log in to. */
  readonly hosts?: true;
  /** Does the job; rejects if it is not done in the end. */
  readonly run: (agent: Agent, place: Place) => Promise<void>;
}

/** What agents do every day, each with as few calls as an agent that knows the tools makes. */
export const BUDGET_JOBS: readonly BudgetJob[] = [
  {
    name: "edit",
    limit: 900,
    run: async (agent, { project }) => {
      const edits = [{ old: "retries: 3", new: "retries: 5" }];
      const { diff } = await agent.data("edit-file", { path: `${project}/src/config.ts`, edits });
      match(String(diff), /\+ {2}retries: 5/);
    },
  },
  {
    name: "search",
    limit: 3_000,
    run: async (agent, { project }) => {
      const found = await agent.data("search-files", { path: project, pattern: "fetchUser\\(" });
      ok(Array.isArray(found.matches) && found.matches.length === 20);
    },
  },
  {
    name: "test",
    limit: 1_280,
    run: async (agent, { project }) => {
      const { results } = await agent.data("exec-command", { command: "sh test.sh", cwd: project });
      match(JSON.stringify(results), /not ok 3.*"exitCode":1/);
    },
  },
  {
    name: "build",
    limit: 16_800,
    run: async (agent, { project }) => {
      const args = { command: "sh build.sh", cwd: project };
      const id = await startJob(agent, { tool: "exec-command", args });
      const first = await agent.data("job-wait", { id, from: START, until: "[99/200]" });
      const last = await agent.data("job-wait", { id, from: first.next, until: "finished" });
      match(String(last.stdout), /build finished/);
    },
  },
  {
    name: "time-out",
    limit: 1_090,
    run: async (agent) => {
      const command = "echo begun; sleep 1; echo over";
      const args = { command, timeoutMs: 200, onTimeout: "job" };
      const { results, job } = await agent.data("exec-command", args);
      match(JSON.stringify(results), /"running":true/);
      const { id, next: from } = isJsonObject(job) ? job : {};
      const { stdout } = await agent.data("job-wait", { id, from });
      match(String(stdout), /over/);
    },
  },
  {
    name: "REPL",
    limit: 1_670,
    run: async (agent) => {
      const args = { command: "python3 -iq" };
      const id = await startJob(agent, { tool: "exec-command", args, stdin: true });
      await agent.data("job-input", {
        id,
        text: "import math\nmath.factorial(10)\n",
        until: "3628800",
      });
      await agent.data("job-input", { id, text: "sum(range(101))\n", until: "5050" });
      await agent.data("job-input", { id, text: "exit()\n", end: true, seconds: 25 });
    },
  },
  {
    name: "large file",
    limit: 3_000,
    run: async (agent, { project }) => {
      const path = `${project}/package-lock.json`;
      const pattern = '"node_modules/package-1234"';
      const { matches } = await agent.data("search-files", { path, pattern });
      const [hit] = Array.isArray(matches) ? matches : [];
      const line = isJsonObject(hit) ? hit.line : 1;
      const { content } = await agent.data("read-file", { path, line, lines: 5 });
      match(String(content), /"version": "1.1234.0"/);
    },
  },
  {
    name: "large output",
    limit: 36_000,
    run: async (agent) => {
      const line = "request %05g was answered within its time by a worker of the second group";
      const command = `seq -f "${line}" 1 8000`;
      const { results } = await agent.data("exec-command", { command });
      const [result] = Array.isArray(results) ? results : [];
      const { job: id } = isJsonObject(result) ? result : {};
      const { matches } = await agent.data("job-output", { id, search: "request 04321 " });
      match(JSON.stringify(matches), /request 04321 was answered/);
    },
  },
  {
    name: "three hosts",
    limit: 1_400,
    hosts: true,
    run: async (agent, { hosts }) => {
      const connections = hosts.map((host) => ({
        host,
        commands: ["uname -s; df -h / | tail -1"],
      }));
      const { results } = await agent.data("ssh-exec", { connections });
      deepStrictEqual(JSON.stringify(results).match(/Linux/g)?.length, 3);
    },
  },
  {
    name: "copy",
    limit: 2_000,
    hosts: true,
    run: async (agent, { project, hosts }) => {
      const from = `${project}/package-lock.json`;
      const connections = hosts.map((host) => ({ host }));
      const to = `${project}/copied.json`;
      const { results } = await agent.data("ssh-copy", { direction: "up", from, to, connections });
      deepStrictEqual(JSON.stringify(results).match(/"sha256"/g)?.length, 3);
    },
  },
  {
    name: "migration",
    limit: 2_800,
    run: async (agent) => {
      await agent.data("sql-schema", { pattern: "visits", detail: "full" });
      const queries = [
        "ALTER TABLE visits ADD COLUMN slow INTEGER NOT NULL DEFAULT 0",
        "UPDATE visits SET slow = 1 WHERE ms > 500",
        "CREATE INDEX visits_slow ON visits (slow, page)",
        "SELECT count(*) AS slow FROM visits WHERE slow = 1",
      ];
      const batches = [{ queries, transaction: true }];
      const { results } = await agent.data("sql-query", { batches });
      deepStrictEqual(JSON.stringify(results).match(/"success":true/g)?.length, 4);
    },
  },
  {
    name: "rows",
    limit: 10_900,
    run: async (agent) => {
      const queries = ["SELECT id, page, country, ms FROM visits LIMIT 300"];
      const args = { batches: [{ queries }], rowsAs: "arrays" };
      const { results } = await agent.data("sql-query", args);
      match(JSON.stringify(results), /\[300,"\/page\/11"/);
    },
  },
];

const START = { stdout: 0, stderr: 0 };

async function startJob(agent: Agent, args: object): Promise<string> {
  const { job } = await agent.data("job-start", args);
  return isJsonObject(job) ? String(job.id) : "";
}

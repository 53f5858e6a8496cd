import { match } from "node:assert/strict";
import type { Agent } from "./agent.ts";
import type { Place } from "./place.ts";

/** How another server does the jobs that it can, by their names. */
export type PeerJobs = Readonly<Record<string, (agent: Agent, place: Place) => Promise<void>>>;

/** How long a call of DesktopCommander waits for its command, in milliseconds. */
const WAIT_MS = 5_000;

async function start(agent: Agent, command: string, timeout_ms = WAIT_MS) {
  const text = await agent.text("start_process", { command, timeout_ms });
  return { text, pid: Number(/PID (\d+)/.exec(text)?.[1]) };
}

/** DesktopCommander 0.2.52; it neither reaches other hosts nor databases. */
export const COMMANDER_JOBS: PeerJobs = {
  edit: async (agent, { project }) => {
    const edit = { old_string: "retries: 3", new_string: "retries: 5" };
    await agent.text("edit_block", { file_path: `${project}/src/config.ts`, ...edit });
  },
  search: async (agent, { project }) => {
    const query = { path: project, pattern: "fetchUser\\(", searchType: "content" };
    const text = await agent.text("start_search", query);
    const sessionId = /Session ID: (\S+)|session: (\S+)/i.exec(text)?.slice(1).find(Boolean);
    match(text + await agent.text("get_more_search_results", { sessionId }), /fetchUser/);
  },
  test: async (agent, { project }) => {
    match((await start(agent, `cd ${project} && sh test.sh`)).text, /not ok 3/);
  },
  build: async (agent, { project }) => {
    const { pid, text } = await start(agent, `cd ${project} && sh build.sh`, 1_000);
    const rest = await agent.text("read_process_output", { pid, timeout_ms: WAIT_MS });
    match(text + rest, /build finished/);
  },
  "time-out": async (agent) => {
    const { pid } = await start(agent, "echo begun; sleep 1; echo over", 200);
    match(await agent.text("read_process_output", { pid, timeout_ms: WAIT_MS }), /over/);
  },
  REPL: async (agent) => {
    const { pid } = await start(agent, "python3 -iq");
    const type = (input: string) => agent.text("interact_with_process", { pid, input });
    await type("import math");
    match(await type("math.factorial(10)"), /3628800/);
    match(await type("sum(range(101))"), /5050/);
    await agent.text("force_terminate", { pid });
  },
  "large file": async (agent, { project }) => {
    const path = `${project}/package-lock.json`;
    const query = { path, pattern: '"node_modules/package-1234"', searchType: "content" };
    const text = await agent.text("start_search", query);
    const sessionId = /Session ID: (\S+)|session: (\S+)/i.exec(text)?.slice(1).find(Boolean);
    const found = text + await agent.text("get_more_search_results", { sessionId });
    const line = Number(/json:(\d+)/.exec(found)?.[1]);
    const read = { path, offset: line - 1, length: 5 };
    match(await agent.text("read_file", read), /1\.1234\.0/);
  },
};

/** DBHub 1.4 with one database of SQLite. */
export const DBHUB_JOBS: PeerJobs = {
  migration: async (agent) => {
    const query = { object_type: "table", pattern: "visits", detail_level: "full" };
    await agent.text("search_objects", query);
    const sql = "ALTER TABLE visits ADD COLUMN slow INTEGER NOT NULL DEFAULT 0; " +
      "UPDATE visits SET slow = 1 WHERE ms > 500; " +
      "CREATE INDEX visits_slow ON visits (slow, page); " +
      "SELECT count(*) AS slow FROM visits WHERE slow = 1";
    await agent.text("execute_sql", { sql });
  },
  rows: async (agent) => {
    const sql = "SELECT id, page, country, ms FROM visits LIMIT 300";
    match(await agent.text("execute_sql", { sql }), /\/page\/11/);
  },
};

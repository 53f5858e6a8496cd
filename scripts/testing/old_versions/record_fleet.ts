import { PASSWORD, startPostgres } from "../../../mcp_server/testing/postgres.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { checkOut, run } from "./check_out.ts";
import { startOldServer } from "./old_server.ts";
import { begun, finished, NEVER, start } from "./old_jobs.ts";
import { writeJson } from "./record_release.ts";

/** The first commit whose servers share jobs in PostgreSQL. */
export const FIRST_FLEET = "ff57079";
const SCHEMA = "old_fleet";
const DUMP = "/usr/lib/postgresql/15/bin/pg_dump";

/** Leaves the tables of a fleet whose only server was killed: an ended job and a running one. */
export async function recordFleet(target: string, commit: string): Promise<void> {
  await using sources = await checkOut(commit);
  await using work = await createTempFolder();
  await using postgres = await startPostgres();
  const server = await startOldServer(sources, {
    HOME: work.path,
    MCP_JOBS_URL: postgres.url(),
    MCP_JOBS_SCHEMA: SCHEMA,
    MCP_NAME: "old-1",
    MCP_LOG_LEVEL: "error",
    MCP_AUDIT_FILE: "/dev/null",
  });
  const ended = await start(server.url, { command: "echo out; exit 3", key: "once" });
  const kept = [await finished(server.url, ended)];
  const running = await start(server.url, { command: "echo $$; exec sleep 1000" });
  const { described, pid } = await begun(server.url, running);
  kept.push(described);
  await postgres.ask(`UPDATE ${SCHEMA}.job SET expires = ${NEVER} WHERE expires IS NOT NULL`);
  await server.stop("SIGKILL");
  Deno.kill(pid, "SIGKILL");
  const url = postgres.url();
  const args = ["--no-owner", "--no-privileges", "--inserts", `--schema=${SCHEMA}`, url];
  const sql = await run(DUMP, args, { env: { PGPASSWORD: PASSWORD } });
  // Newer releases of psql restrict what a dump may do, with a key that no other client knows.
  const statements = sql.split("\n").filter((line) => !/^(\\|--|$)/.test(line));
  await Deno.writeTextFile(`${target}/fleet.sql`, `${statements.join("\n")}\n`);
  await writeJson(`${target}/fleet.json`, kept);
}

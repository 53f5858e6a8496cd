import { DatabaseSync } from "node:sqlite";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { checkOut, run } from "./check_out.ts";
import { begun, cancelled, describe, finished, type JobRequest, NEVER, start } from "./old_jobs.ts";
import { startOldServer } from "./old_server.ts";
import { writeJson } from "./record_release.ts";
import { TOKEN } from "./requests.ts";

/** The last commit whose jobs belong to the digest of a token, as those of the first store do. */
export const LAST_DIGESTS = "fd0dd3c";

const ENDING: readonly JobRequest[] = [
  { command: "echo out; echo err >&2; exit 3", key: "once" },
  { command: "echo on; sleep 1000", timeoutMs: 300 },
  { command: "true", cwd: "/no/such/folder" },
  { command: "yes 0123456789 | head -c 3000" },
];

/**
 * Leaves the folder of a server that was killed: a job of a server without a token, and jobs of one
 * with a token that completed, failed, ran too long, flooded, were cancelled, run and wait.
 */
export async function recordJobs(target: string, commit: string): Promise<void> {
  await using sources = await checkOut(commit);
  await using work = await createTempFolder();
  const folder = `${work.path}/data`;
  const env = {
    HOME: work.path,
    MCP_DATA_DIR: folder,
    MCP_LOG_LEVEL: "error",
    MCP_AUDIT_FILE: "/dev/null",
    MCP_MAX_RUNS: "1",
  };
  const kept = [];
  {
    await using open = await startOldServer(sources, env);
    kept.push(
      await finished(open.url, await start(open.url, { command: "echo open", key: "open" })),
    );
  }
  const server = await startOldServer(sources, {
    ...env,
    MCP_TOKEN: TOKEN,
    MCP_JOB_OUTPUT_BYTES: "1024",
  });
  const { url } = server;
  for (const request of ENDING) kept.push(await finished(url, await start(url, request)));
  kept.push(await cancelled(url, await start(url, { command: "sleep 1000" })));
  const running = await start(url, { command: "echo $$; exec sleep 1000" });
  const { described, pid } = await begun(url, running);
  kept.push(described, await describe(url, await start(url, { command: "echo never" })));
  keepForever(`${folder}/jobs.db`);
  await server.stop("SIGKILL");
  Deno.kill(pid, "SIGKILL");
  await run("tar", ["-czf", `${target}/jobs.tgz`, "-C", folder, "."]);
  await writeJson(`${target}/jobs.json`, kept);
}

/** Moves the removal of ended jobs, so that they are there whenever a test reads them. */
function keepForever(path: string): void {
  const database = new DatabaseSync(path);
  database.prepare("UPDATE job SET expires = ? WHERE expires IS NOT NULL").run(NEVER);
  database.close();
}

import { type RecordedRequest, sendRecorded } from "../../../mcp_server/testing/recorded_calls.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { type CheckedOut, checkOut, run } from "./check_out.ts";
import { startOldServer } from "./old_server.ts";
import { writeJson } from "./record_release.ts";

/** The first commit with a callers file. */
export const FIRST_CALLERS = "d1f7d27";

/** What each caller may do, in every form that the file takes. */
const RIGHTS: Readonly<Record<string, object>> = {
  ci: { tools: ["exec-command", "*-script"], paths: ["/**"], maxTimeoutMs: 60_000, maxCalls: 8 },
  "alice@example.org": {
    subject: "auth0|123",
    tools: ["*"],
    hosts: ["*.example.org", "10.0.0.?:22"],
    databases: { main: "ro", "*": "rw" },
    paths: ["/**"],
    maxJobs: 4,
    admin: true,
  },
  nothing: {},
};

/** Leaves a callers file with tokens of `--new-token`, and what its callers were answered. */
export async function recordCallers(target: string, commit: string): Promise<void> {
  await using sources = await checkOut(commit);
  await using work = await createTempFolder();
  const tokens: Record<string, string> = {};
  const callers: Record<string, object> = {};
  for (const [name, rights] of Object.entries(RIGHTS)) {
    const { token, entry } = await newToken(sources, name);
    tokens[name] = token;
    callers[name] = { ...entry, ...rights };
  }
  const file = `${target}/callers.json`;
  await writeJson(file, { callers });
  await Deno.copyFile(file, `${work.path}/callers.json`);
  await Deno.chmod(`${work.path}/callers.json`, 0o600);
  await using server = await startOldServer(sources, {
    HOME: work.path,
    MCP_CALLERS_FILE: `${work.path}/callers.json`,
    MCP_LOG_LEVEL: "error",
    MCP_AUDIT_FILE: "/dev/null",
  });
  const calls = [];
  for (const token of [...Object.values(tokens), "unknown-token"]) {
    for (const request of requestsOf(token)) {
      calls.push({ request, response: await sendRecorded(server.url, request, work.path) });
    }
  }
  await writeJson(`${target}/callers_calls.json`, calls);
}

/** What `--new-token` prints: the token, and then the line of the file. */
async function newToken(
  { path }: CheckedOut,
  name: string,
): Promise<{ token: string; entry: object }> {
  const args = ["run", "-A", "--quiet", `${path}/mcp_server/main.ts`, "--new-token", name];
  const output = await run(Deno.execPath(), args, { cwd: path });
  const token = /^[0-9a-f]{64}$/m.exec(output)?.[0];
  const line = output.split("\n").find((line) => line.includes("tokenSha256"));
  if (token === undefined || line === undefined) throw new Error(`Cannot read "${output}"`);
  return { token, entry: JSON.parse(`{${line.trim().replace(/,$/, "")}}`)[name] };
}

function requestsOf(token: string): RecordedRequest[] {
  const headers = { authorization: `Bearer ${token}` };
  const call = (tool: string, args: object): RecordedRequest => ({
    method: "POST",
    path: "/api",
    headers,
    body: { tool, args },
  });
  return [
    call("exec-command", { commands: [{ command: "echo on" }] }),
    call("read-file", { path: "/etc/hostname/none" }),
    call("exec-command", { commands: [{ command: "true" }], timeoutMs: 60_000 }),
  ];
}

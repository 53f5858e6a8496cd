import { expect, writeShort } from "../checks.ts";
import { tokenOf } from "../../testing/callers_file.ts";
import { CallRefused, type Way } from "../clients/way.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";
import { sendCall } from "./send_call.ts";

/** A call that must be refused. */
interface RefusedCall {
  readonly caller: string;
  readonly tool: string;
  readonly args: object;
  /** The code over the HTTP API. */
  readonly code: string;
  /** What the message says over every transport. */
  readonly message: RegExp;
  /** Whether the refusal ends a call, and does not prevent it. */
  readonly isCall: boolean;
}

/** Calls that callers may not make, or that are wrong, over every transport that has callers. */
export function refusedScenarios(parts: ScenarioParts): Scenario[] {
  return [
    ...refusedCalls(parts.services.files).map((call) => ({
      name: `refused ${call.tool} of ${call.caller}: ${call.code}`,
      weight: 2,
      run: ({ random }: ScenarioRun) => beRefused(parts, random.pick(httpWays(parts.ways)), call),
    })),
    ...[wrongToken, wrongTokenOfMcp].map((run) => ({
      name: "a wrong token",
      run: () => run(parts),
    })),
    ...(parts.services.sshHost === undefined ? [] : [{
      name: "a wrong login",
      run: () => wrongLogin(parts, parts.services.sshHost ?? ""),
    }]),
  ];
}

function refusedCalls(files: string): RefusedCall[] {
  const NOT_ALLOWED = { code: "NOT_ALLOWED", isCall: false };
  const INVALID = { code: "INVALID_ARGUMENTS", message: /Cannot call/, isCall: true };
  const commands = [{ command: "echo never" }];
  const sql = (database: string) => ({ batches: [{ database, queries: ["SELECT 1"] }] });
  return [
    {
      ...NOT_ALLOWED,
      caller: "reader",
      tool: "exec-command",
      args: { commands },
      message: /not among the tools/,
    },
    {
      ...NOT_ALLOWED,
      isCall: true,
      caller: "reader",
      tool: "read-file",
      args: { path: "/etc/passwd" },
      message: /\/etc\/passwd/,
    },
    {
      ...NOT_ALLOWED,
      isCall: true,
      caller: "reader",
      tool: "sql-query",
      args: sql("other"),
      message: /other/,
    },
    {
      ...INVALID,
      caller: "quota",
      tool: "exec-command",
      args: { commands, timeoutMs: 60_000 },
      message: /maxTimeoutMs/,
    },
    { ...INVALID, caller: "worker", tool: "exec-command", args: { commands: "echo" } },
    {
      ...INVALID,
      caller: "default",
      tool: "exec-command",
      args: { commands: Array.from({ length: 5_000 }, () => ({ command: "echo" })) },
    },
    {
      caller: "worker",
      tool: "no-such-tool",
      args: {},
      code: "UNKNOWN_TOOL",
      message: /no-such-tool/,
      isCall: true,
    },
    {
      caller: "worker",
      tool: "read-file",
      args: { path: files },
      code: "NOT_A_FILE",
      message: /it is a folder/,
      isCall: true,
    },
  ];
}

function httpWays([first, ...rest]: readonly [Way, ...Way[]]): readonly [Way, ...Way[]] {
  return [first, ...rest.filter(({ server }) => server === "http")];
}

async function beRefused(
  parts: ScenarioParts,
  way: Way,
  { code, message, isCall, ...call }: RefusedCall,
): Promise<void> {
  const { tally } = parts;
  const end = await sendCall(parts, way, call);
  if (end === undefined) return;
  const { error, output } = end;
  const found = error instanceof CallRefused ? error.code ?? code : code;
  if (error instanceof Error && message.test(error.message) && found === code) {
    return tally.refused(way, code, isCall);
  }
  const what = `${way.transport}, ${call.tool} of ${call.caller}, ${code}`;
  tally.isWrong(`${what}: ${writeShort(output ?? error)}`, way);
}

async function wrongToken({ api, tally }: ScenarioParts): Promise<void> {
  const { status, headers } = await api.post({ tool: "exec-command", args: {} }, {
    caller: "nobody",
  });
  expect(status === 401 && headers.has("www-authenticate"), "a refused token", status);
  tally.rejected("UNAUTHORIZED");
}

async function wrongTokenOfMcp({ api, tally }: ScenarioParts): Promise<void> {
  const { status } = await api.ask("/mcp", {
    method: "POST",
    caller: "nobody",
    headers: { authorization: `Bearer ${tokenOf("nobody")}x`, "content-type": "application/json" },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  expect(status === 401, "a refused token", status);
  tally.rejected("UNAUTHORIZED");
}

/** sshd knows no such user; nothing listens on port 1. */
async function wrongLogin({ api, tally }: ScenarioParts, host: string): Promise<void> {
  const commands = ["true"];
  const connections = [
    { host, username: "nosuchuser", commands },
    { host: "127.0.0.1:1", commands },
  ];
  const { status, body } = await api.post({ tool: "ssh-exec", args: { connections } });
  expect(status === 200 && Array.isArray(body.results), "results", body);
  const phases = body.results.map((result) => Object(Object(result).error).phase);
  expect(phases[0] === "auth" && phases[1] !== undefined, "refused logins", body.results);
  tally.answered({ transport: "HTTP API", server: "http" });
  for (const phase of phases) tally.rejected(`ssh-exec, phase ${phase}`);
}

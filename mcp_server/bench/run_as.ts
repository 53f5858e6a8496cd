import { inTurns } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { Caller, toRequest } from "./load.ts";
import { start } from "./started.ts";

/** Commands and files as another user, which only a server of root can do, and as root itself. */
export async function benchRunAs(): Promise<Row[]> {
  if (Deno.uid() !== 0) return [];
  await using own = await start("../main.ts", [], { MCP_PORT: "0" });
  await using other = await start("../main.ts", [], { MCP_PORT: "0", MCP_RUN_AS: "nobody" });
  using ownCaller = await Caller.connect(own.url);
  using otherCaller = await Caller.connect(other.url);
  const command = { tool: "exec-command", args: { commands: [{ command: "true" }] } };
  const file = { tool: "read-file", args: { path: "/etc/hostname" } };
  const ask = (caller: Caller, url: string, call: object) => {
    const request = toRequest(url, "/api", call);
    return () => caller.call(request);
  };
  const [ownRun = NaN, otherRun = NaN, ownRead = NaN, otherRead = NaN] = await inTurns([
    ask(ownCaller, own.url, command),
    ask(otherCaller, other.url, command),
    ask(ownCaller, own.url, file),
    ask(otherCaller, other.url, file),
  ], 200);
  return [
    row("`exec-command` of `true` as another user / as the server's", otherRun, ownRun),
    row("`read-file` as another user / as the server's", otherRead, ownRead),
  ];
}

function row(what: string, other: number, own: number): Row {
  return { what, value: `${other.toFixed(2)} ms`, ratio: other / own };
}

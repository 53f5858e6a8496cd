import { hasProgram } from "../../../test_support/services.ts";
import { expect } from "../checks.ts";
import { LONGEST_MS, timeLimit } from "../clients/api_client.ts";
import type { CallSite } from "../tally.ts";
import { toOutput } from "../clients/way.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";

const HAS_TERMINALS = hasProgram("script");
const JOB = "jobs of the tools";

/** Calls a tool for jobs, and returns what it answers. */
type CallTool = (tool: string, args: object) => Promise<Record<string, unknown>>;

/** Jobs that are started and used with the tools for jobs, over transports that stay connected. */
export function jobToolScenarios(parts: ScenarioParts): Scenario[] {
  const overWays = parts.ways.filter((way) => way.reconnect === undefined);
  const ways: [CallSite, CallTool][] = overWays.map((way) => [way, async (tool, args) => {
    using limit = timeLimit(LONGEST_MS);
    return await way.call(tool, args, { signal: limit.signal, caller: "worker" });
  }]);
  const wires: [CallSite, CallTool][] = parts.tasks.modern.map((
    tasks,
  ) => [tasks, async (name, args) => {
    const options = { capabilities: {} };
    const params = { name, arguments: args };
    const { result, error } = await tasks.request("tools/call", params, options);
    expect(
      result !== undefined && result.isError !== true,
      `an answer of ${name}`,
      error ?? result,
    );
    return toOutput(result.structuredContent);
  }]);
  return [...ways, ...wires].map(([site, call]) => ({
    name: `${JOB}, ${site.transport}`,
    weight: 2,
    run: (one) => useJob(parts, site, { call, one }),
  }));
}

async function useJob(
  { tally }: ScenarioParts,
  site: CallSite,
  { call: send, one: { id, random } }: { readonly call: CallTool; readonly one: ScenarioRun },
): Promise<void> {
  const call: CallTool = async (tool, args) => {
    const output = await send(tool, args);
    tally.answered(site);
    return output;
  };
  // On a terminal the input is echoed.
  const tty = HAS_TERMINALS && random.below(2) === 0 && { rows: 24, cols: 80 + random.below(80) };
  const size = tty ? `stty size | grep -q " ${tty.cols}$" && ` : "";
  const commands = [{ command: `${size}echo ready-${id}; read name; echo "hello $name"` }];
  const args = { commands, timeoutMs: 60_000 };
  const start = { tool: "exec-command", args, ...tty ? { tty } : { stdin: true } };
  const job = Object((await call("job-start", start)).job).id;
  const ready = await call("job-wait", { id: job, until: `ready-${id}`, seconds: 40 });
  expect(ready.matched === true, "a text in the output", ready);
  const list = JSON.stringify(await call("job-list", { limit: 100 }));
  expect(list.includes(job), "the job in the list", list.length);
  const isCancelled = random.below(3) === 0;
  if (!isCancelled) await call("job-input", { id: job, text: "Ada\n" });
  if (isCancelled) await call("job-cancel", { id: job });
  // On a busy machine a job may take longer to stop than its cancellation waits.
  const end = await call("job-wait", { id: job, seconds: 40 });
  const { state } = Object(end.job);
  expect(state === (isCancelled ? "cancelled" : "completed"), "the end of a job", end);
  const found = await call("job-output", { id: job, search: "^hello" });
  const count = Array.isArray(found.matches) ? found.matches.length : NaN;
  expect(count === (isCancelled ? 0 : 1), "a line of the output", found);
  if (isCancelled) tally.cancelled({ transport: JOB, server: site.server });
  else tally.answered({ transport: JOB, server: site.server });
}

import { writeShort } from "../checks.ts";
import { type CallMaker, callMakers, type SoakCall } from "./known_calls.ts";
import { serviceCallMakers } from "./known_service_calls.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";
import { sendCall } from "./send_call.ts";

/** The number of calls from one cancellation to the next, and from one reconnection to the next. */
const CANCEL_ONE_OF = 6;
const RECONNECT_ONE_OF = 20;
const LONGEST_BEFORE_CANCEL_MS = 400;
const CALLERS = ["default", "worker"] as const;

/** Calls with known answers, over every transport, some of which are cancelled. */
export function callScenarios(parts: ScenarioParts): Scenario[] {
  const makers = [...callMakers(parts.services), ...serviceCallMakers(parts.services)];
  return makers.map((make) => callScenario(parts, make));
}

/** Calls of one kind. */
export function callScenario(parts: ScenarioParts, make: CallMaker): Scenario {
  return {
    name: "a call",
    weight: 4,
    run: ({ id, random }) => callOnce(parts, make(id, random), random),
  };
}

async function callOnce(
  parts: ScenarioParts,
  { tool, args, isRight, endless = false }: SoakCall,
  random: ScenarioRun["random"],
): Promise<void> {
  const { tally, ways } = parts;
  const way = random.pick(ways);
  if (random.below(RECONNECT_ONE_OF) === 0 && way.reconnect !== undefined) {
    tally.event("reconnections");
    await way.reconnect();
  }
  const caller = random.pick(CALLERS);
  const isCancelled = endless || random.below(CANCEL_ONE_OF) === 0;
  const ms = 1 + random.below(LONGEST_BEFORE_CANCEL_MS);
  const cancel = isCancelled ? { cancelAfterMs: ms } : {};
  const end = await sendCall(parts, way, { tool, args, caller, ...cancel });
  if (end === undefined) return;
  if (end.output !== undefined && isRight(end.output)) return tally.answered(way);
  tally.isWrong(`${way.transport}, ${tool}: ${writeShort(end.output ?? end.error)}`, way);
}

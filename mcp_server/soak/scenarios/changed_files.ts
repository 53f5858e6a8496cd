import { expect, writeShort } from "../checks.ts";
import type { GuestState } from "../server/file_changes.ts";
import type { CallSite } from "../tally.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";
import { sendCall } from "./send_call.ts";

const SITE: CallSite = { transport: "HTTP API", server: "http" };
const STATUS: Readonly<Record<GuestState, number>> = {
  absent: 401,
  allowed: 200,
  "without rights": 403,
};

/** Calls that depend on files which change while they run. */
export function changedFileScenarios(parts: ScenarioParts): Scenario[] {
  return [
    { name: "the changing tool", weight: 2, run: (one) => callChanging(parts, one) },
    { name: "the guest", run: () => callAsGuest(parts) },
  ];
}

/** A call gets a version that was there between its start and its end. */
async function callChanging(parts: ScenarioParts, { random }: ScenarioRun): Promise<void> {
  const { ways, tally, changes: { versions } } = parts;
  const way = random.pick(ways);
  // A server over stdio may not have noticed the last change yet.
  const least = way.server === "http" ? versions.served : 1;
  const end = await sendCall(parts, way, { tool: "changing", args: {}, caller: "worker" });
  if (end === undefined) return;
  const version = end.output?.version;
  const isRight = typeof version === "number" && version >= least && version <= versions.written;
  if (isRight) return tally.answered(way);
  const found = writeShort(end.output ?? end.error);
  tally.isWrong(`${way.transport}, version ${least} to ${versions.written}: ${found}`, way);
}

async function callAsGuest({ api, tally, changes }: ScenarioParts): Promise<void> {
  const before = changes.guest;
  const { status, body } = await api.post({ tool: "changing", args: {} }, { caller: "guest" });
  const isKnown = before !== undefined && before === changes.guest;
  const expected = isKnown ? [STATUS[before]] : Object.values(STATUS);
  expect(expected.includes(status), `the status ${expected.join(" or ")}`, { status, body });
  if (status === 200) tally.answered(SITE);
  else tally.rejected(String(body.code));
}

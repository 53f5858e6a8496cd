import type { JsonObject } from "../../shared/json.ts";
import { LONGEST_MS, timeLimit } from "../clients/api_client.ts";
import type { Way } from "../clients/way.ts";
import { isBusy } from "./pressure.ts";
import type { ScenarioParts } from "./scenario.ts";

/** A result with a refusal in it is not longer than this. */
const LONGEST_REFUSAL = 4_000;

/** A call over a way. */
export interface SentCall {
  readonly tool: string;
  readonly args: object;
  readonly caller: string;
  /** The client cancels the call after so many milliseconds. @default {it doesn't} */
  readonly cancelAfterMs?: number;
}

/** What became of a call that was not cut off. */
export type CallEnd =
  | { readonly output: JsonObject; readonly error?: never }
  | { readonly error: unknown; readonly output?: never };

/**
 * Sends a call over a way, and resolves with its end. If the client has cut it off, or a flood is to
 * blame for the error, counts it as cancelled or busy and resolves with `undefined`.
 */
export async function sendCall(
  { tally, pressure }: ScenarioParts,
  way: Way,
  { tool, args, caller, cancelAfterMs }: SentCall,
): Promise<CallEnd | undefined> {
  const closedBefore = way.closed;
  const floods = pressure.watch();
  using limit = timeLimit(cancelAfterMs ?? LONGEST_MS);
  const { signal } = limit;
  try {
    const output = await way.call(tool, args, { signal, caller });
    if (!floods.excuses(busyPart(output))) return { output };
    tally.refused(way, "BUSY", true);
  } catch (error) {
    const isCancelled = cancelAfterMs !== undefined && signal.aborted;
    // A client that reconnects ends its other running calls, and no later ones.
    if (isCancelled || way.closed > closedBefore) tally.cancelled(way);
    else if (!floods.excuses(error)) return { error };
    else if (isBusy(error)) tally.refused(way, "BUSY", true);
    else tally.cancelled(way);
  }
  return undefined;
}

/** A part of a call may be refused because too much is running, such as one of several hosts. */
function busyPart(output: JsonObject): Error | undefined {
  const error = new Error(JSON.stringify(output).slice(0, LONGEST_REFUSAL));
  return isBusy(error) ? error : undefined;
}

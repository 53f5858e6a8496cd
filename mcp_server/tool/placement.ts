import { MOST_RETRIES } from "./fleet.ts";
import type { JobRequest } from "./job_service.ts";

/** Where a job runs, and how often it is started again. */
export type Placement = Pick<JobRequest, "on" | "retries">;

/** What a request says about it; the detail says which key is wrong. */
export type ParsedPlacement =
  | { readonly ok: true; readonly placement: Placement }
  | { readonly ok: false; readonly detail: string };

/** The keys of a call's metadata in MCP. */
const META_KEYS = { on: "io.trestle/on", retries: "io.trestle/retries" } as const;

/** Reads `on` and `retries` of a request, which are absent unless they are given. */
export function parsePlacement(
  { on, retries }: { readonly on?: unknown; readonly retries?: unknown },
  names: { readonly on: string; readonly retries: string } = { on: "on", retries: "retries" },
): ParsedPlacement {
  if (on !== undefined && typeof on !== "string") {
    return { ok: false, detail: `"${names.on}" must be a label or name:<server>` };
  }
  const isCount = retries === undefined ||
    typeof retries === "number" && Number.isInteger(retries) && retries >= 0 &&
      retries <= MOST_RETRIES;
  if (!isCount) return { ok: false, detail: `"${names.retries}" must be 0 to ${MOST_RETRIES}` };
  return {
    ok: true,
    placement: {
      ...(on === undefined ? {} : { on }),
      ...(retries === undefined ? {} : { retries }),
    },
  };
}

/** Reads both from the metadata of an MCP call; `undefined` if it has neither. */
export function placementOfMeta(
  meta: Readonly<Record<string, unknown>> = {},
): ParsedPlacement | undefined {
  const { [META_KEYS.on]: on, [META_KEYS.retries]: retries } = meta;
  if (on === undefined && retries === undefined) return undefined;
  return parsePlacement({ on, retries }, META_KEYS);
}

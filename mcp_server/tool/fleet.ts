import { quote } from "../shared/error.ts";
import { JobError } from "./job.ts";

/** Valid names and labels of servers. */
export const SERVER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** How often a job may be started again. */
export const MOST_RETRIES = 10;

/** Whether a server takes jobs, or is to stop and waits for those that run. */
export type ServerState = "ready" | "draining";

/** A server of the fleet. */
export interface FleetServer {
  /** Its `MCP_NAME`. */
  readonly name: string;
  /** Its `MCP_LABELS`. */
  readonly labels: readonly string[];
  /** Version of Trestle. */
  readonly version: string;
  /** `draining` once it is to stop: it takes no more jobs. */
  readonly state: ServerState;
  /** How many commands run there, and how many calls and jobs wait for a permit there. */
  readonly load: { readonly runs: number; readonly queue: number };
  /** When it renewed its lease last, in ISO 8601. */
  readonly lastHeartbeat: string;
}

/** How a server is known to the others. */
export type ServerLabels = Pick<FleetServer, "name" | "labels">;

/** What a server says about itself. */
export type ServerIdentity = Pick<FleetServer, "name" | "labels" | "version">;

/** The queue of jobs that any server may take. */
export const ANY_ROUTE = "any";

const NAME_PREFIX = "name:";

/**
 * The queue of the jobs with an `on`: `name:web-3` is that of one server, any other word that of all
 * servers with the label. Throws a `JobError` if it is neither.
 */
export function toRoute(on: string | undefined): string {
  if (on === undefined) return ANY_ROUTE;
  const isName = on.startsWith(NAME_PREFIX);
  const word = isName ? on.slice(NAME_PREFIX.length) : on;
  if (SERVER_NAME.test(word)) return `${isName ? "name" : "label"}.${word}`;
  throw new JobError(
    `Cannot start the job on ${quote(on)}: it must be a label or name:<server>`,
    { code: "INVALID_ARGUMENTS" },
  );
}

/** The queues from which a server takes jobs, in order. */
export function routesOf({ name, labels }: ServerLabels): string[] {
  return [`name.${name}`, ...labels.map((label) => `label.${label}`), ANY_ROUTE];
}

/** Where a job runs, and how often it is started again. */
export interface Placement {
  readonly on?: string;
  readonly retries?: number;
}

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

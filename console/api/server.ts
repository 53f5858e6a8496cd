import { api } from "@trestle/api-wrapper";
import { instance } from "./instance.ts";

/** What the caller may do; what is absent is not limited. */
export interface Rights {
  readonly tools?: readonly string[];
  readonly hosts?: readonly string[];
  readonly databases?: Readonly<Record<string, "ro" | "rw">>;
  readonly paths?: readonly string[];
  readonly maxCalls?: number;
  readonly maxJobs?: number;
  readonly maxTimeoutMs?: number;
  readonly admin?: boolean;
  readonly runAs?: string;
}

/** The caller, as the server knows it. */
export interface Me {
  readonly name: string;
  /** Absent for a caller with every right. */
  readonly rights?: Rights;
  readonly scopes?: readonly string[];
}

/** A server of the fleet. */
export interface FleetServer {
  readonly name: string;
  readonly labels: readonly string[];
  readonly version: string;
  readonly load: { readonly runs: number; readonly queue: number };
  readonly lastHeartbeat: string;
}

const http = api("/", instance);
/** A probe is for a server that may hang. */
const PROBE_MS = 4_000;

/** The server itself; what it lacks is answered with 404. */
export const server = {
  me: () => http.get<Me>("api/me"),
  servers: () => http.get<{ servers: FleetServer[] }>("api/servers"),
  metrics: () => http.get<string>("metrics", { responseType: "text" }),
  health: () => http.get<string>("healthz", { responseType: "text", timeout: PROBE_MS }),
};

import { api } from "@trestle/api-wrapper";
import type { Caller, Figures, FleetFigures, FleetHealth, FleetServer } from "@trestle/mcp-server";
import { instance } from "./instance.ts";
import type { LoginSettings } from "./oauth.ts";
import { isRecord } from "./problem.ts";

/** The caller, as the server knows it; without `rights` it may do everything. */
export type Me = Pick<Caller, "name" | "rights" | "scopes">;

const http = api("/", instance);
/** A probe is for a server that may hang. */
const PROBE_MS = 4_000;

/** The server itself; what it lacks is answered with 404. */
export const server = {
  me: () => http.get<Me>("api/me"),
  servers: () => http.get<{ servers: FleetServer[] }>("api/servers"),
  /** What the server that answers did, or one that is named, or all for `*`. */
  figures: (server?: string) =>
    http.get<Figures & Partial<FleetFigures>>("api/figures", {
      params: server === undefined ? {} : { server },
    }),
  /** The metrics of the server that answers, or of one that is named, or of all for `*`. */
  metrics: (server?: string) =>
    http.get<string>("metrics", {
      responseType: "text",
      params: server === undefined ? {} : { server },
    }),
  /** How all servers are. */
  fleetHealth: () => http.get<FleetHealth>("api/health", { params: { server: "*" } }),
  /** The callers of the server, for an admin. */
  callers: () => http.get<{ callers: Me[] }>("api/callers"),
  /** How people log in at an issuer; nothing if they can't. */
  login: async () => parseLogin((await http.get<unknown>("console/login.json")).data),
  health: () => http.get<string>("healthz", { responseType: "text", timeout: PROBE_MS }),
};

function parseLogin(value: unknown): LoginSettings | undefined {
  const { issuer, resource, clientId } = isRecord(value) ? value : {};
  return typeof issuer === "string" && typeof resource === "string" && typeof clientId === "string"
    ? { issuer, resource, clientId }
    : undefined;
}

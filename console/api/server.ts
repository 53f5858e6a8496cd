import { api } from "@trestle/api-wrapper";
import type { Caller, FleetServer, ServerFigures } from "@trestle/mcp-server";
import { instance } from "./instance.ts";

/** The caller, as the server knows it; without `rights` it may do everything. */
export type Me = Pick<Caller, "name" | "rights" | "scopes">;

const http = api("/", instance);
/** A probe is for a server that may hang. */
const PROBE_MS = 4_000;

/** The server itself; what it lacks is answered with 404. */
export const server = {
  me: () => http.get<Me>("api/me"),
  servers: () => http.get<{ servers: FleetServer[] }>("api/servers"),
  figures: () => http.get<{ hour: ServerFigures }>("api/figures"),
  metrics: () => http.get<string>("metrics", { responseType: "text" }),
  health: () => http.get<string>("healthz", { responseType: "text", timeout: PROBE_MS }),
};

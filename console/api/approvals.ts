import { api } from "@trestle/api-wrapper";
import type { Approval, Decision, FleetApprovals } from "@trestle/mcp-server";
import { instance } from "./instance.ts";

const http = api("/api/approvals", instance);

/** The calls of all callers that wait for approval on any server, for an admin. */
export const approvals = {
  list: () => http.get<FleetApprovals>("", { params: { server: "*" } }),
  /** Approves or declines one of them. */
  decide: (id: string, decision: Decision) =>
    api(`/api/approvals/${id}`, instance).post<Approval>({ decision }),
};

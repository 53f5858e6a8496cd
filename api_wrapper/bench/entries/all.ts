export { api, cancelPendingRequests, useApi } from "../../mod.ts";

export { api, cancelPendingRequests } from "../../core.ts";

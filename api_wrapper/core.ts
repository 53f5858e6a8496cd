/**
 * Small typed modules over REST APIs, each request cancellable; without Vue.
 *
 * @module
 */

export { type Api, api, type ApiInstance, type ApiPath, type SentRequest } from "./api.ts";
export { cancelPendingRequests } from "./pending_requests.ts";

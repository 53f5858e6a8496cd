export { cancelPendingRequests, useApi } from "@trestle/api-wrapper";
export { instance } from "./define_api.js";
export { posts } from "./modules/posts.js";
export { users } from "./modules/users.js";

export { cancelPendingRequests, useApi } from "@trestle/api-wrapper";
export { instance } from "./define_api.ts";
export { type Post, posts } from "./modules/posts.ts";
export { type User, users } from "./modules/users.ts";

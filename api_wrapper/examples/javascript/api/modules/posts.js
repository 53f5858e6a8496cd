// @ts-check
import { defineApi } from "../define_api.js";

/** @typedef {{ id: number, title: string }} Post */

/**
 * The result of a request.
 *
 * @template Data
 * @typedef {Promise<import("axios").AxiosResponse<Data>>} Answer
 */

const http = defineApi("/posts");

export const posts = {
  /** @returns {Answer<Post[]>} */
  list: () => http.get(),

  /** @type {(id: Post["id"]) => Answer<Post>} */
  show: (id) => http.get(id),

  /** @type {(post: Omit<Post, "id">) => Answer<Post>} */
  create: (post) => http.post(post),

  /** @type {(post: Post) => Answer<Post>} */
  replace: ({ id, ...post }) => http.put(id, post),

  /** @type {(id: Post["id"], title: string) => Answer<Post>} */
  rename: (id, title) => http.patch(id, { title }),

  /** @param {Post["id"]} id */
  remove: (id) => http.delete(id),

  cancelPendingRequests: http.cancelPendingRequests,
};

import { defineApi } from "../index.js";

const posts = defineApi("/posts");

export const getPosts = (config) => posts.get("", config);
export const getPost = (id) => posts.get(id);
export const createPost = (data) => posts.post(data);
export const putPost = (id, data) => posts.put(id, data);
export const patchPost = (id, data) => posts.patch(id, data);
export const deletePost = (id) => posts.delete(id);
export const publishPost = (id) => posts.post({ title: "Public" }, { url: `${id}/publish` });

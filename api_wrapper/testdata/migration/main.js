import { cancelPendingRequests, useApi } from "@roland1993/api";
import axios from "axios";
import { defineApi, instance } from "./api/index.js";
import * as request from "./api/modules/posts.js";

const slow = defineApi("/slow");

/** Uses all that there is once, and returns what came of it. */
export async function run(baseURL) {
  instance.defaults.baseURL = baseURL;

  const { data: created } = await request.createPost({ title: "New" });
  const { data: patched } = await request.patchPost(created.id, { title: "Patched" });
  const { data: put } = await request.putPost(created.id, { title: "Put" });
  const { data: published } = await request.publishPost(created.id);
  const { status } = await request.deletePost(created.id);
  const { data: list } = await request.getPosts({ params: { page: 1 } });

  const late = slow.get().catch((error) => axios.isCancel(error));
  cancelPendingRequests();

  const first = useApi(() => request.getPost(1));
  const wasLoading = first.loading.value;
  await first.call();

  const none = useApi(() => request.getPost(99), false);
  const failure = await none.call().catch(({ response }) => response.status);

  return [
    [created.title, patched.title, put.title, published.title, status, list.map(({ id }) => id)],
    await late,
    [wasLoading, first.loading.value, first.data.value],
    [failure, none.loading.value, none.data.value],
  ];
}

// @ts-check
import { isCancel } from "axios";
import { cancelPendingRequests, instance, posts, useApi, users } from "./api/index.js";

/**
 * Uses every function of the modules once, and returns the results.
 *
 * @param {string} baseURL
 * @param {"http" | "xhr" | "fetch"} adapter
 * @returns {Promise<unknown[]>}
 */
export async function run(baseURL, adapter) {
  Object.assign(instance.defaults, { baseURL, adapter });

  const { data: created } = await posts.create({ title: "New" });
  const shown = await posts.show(created.id);
  const renamed = await posts.rename(created.id, "Renamed");
  const replaced = await posts.replace({ id: created.id, title: "Replaced" });
  const removed = await posts.remove(created.id);
  const { data: left } = await posts.list();
  const { data: everyone } = await users.list();

  const { data, error, call } = useApi(posts.show, false);
  await call(1);
  const late = posts.list().catch(isCancel);
  cancelPendingRequests();

  return [
    created.title,
    shown.data.title,
    renamed.data.title,
    replaced.data.title,
    removed.status,
    left.map(({ id }) => id),
    everyone.map(({ name }) => name),
    data.value?.title,
    error.value ?? null,
    await late,
  ];
}

import {
  type Api,
  api,
  type ApiInstance,
  cancelPendingRequests,
  useApi,
} from "@trestle/api-wrapper";
import * as core from "@trestle/api-wrapper/core";
import axios, { type AxiosRequestConfig, type AxiosResponse } from "axios";
import type { ShallowRef, ShallowUnwrapRef } from "vue";
import { prove, type Same } from "./same.ts";

interface Post {
  id: number;
  title: string;
}

/** Compiled, never run: each line must compile unless it says otherwise. */
export function inference(): void {
  const instance = axios.create();
  const fits: ApiInstance = instance;
  const posts: Api = api("/posts", fits);
  const config: AxiosRequestConfig = { params: { page: 2 } };
  const { signal } = new AbortController();

  const list = posts.get<Post[]>();
  const data = list.then((response) => response.data);
  const status = list.then((response) => response.status);
  prove<Same<typeof data, Promise<Post[]>>>();
  prove<Same<typeof status, Promise<number>>>();
  const untyped = posts.get(7).then((response) => response.data);
  prove<Same<typeof untyped, Promise<unknown>>>();

  posts.get("7/comments", { ...config, signal, cancelToken: axios.CancelToken.source().token });
  const created: Promise<AxiosResponse<Post>> = posts.post({ title: "New" }, config);
  void created;
  posts.put(7, { title: "New" }, config);
  posts.patch("7", { title: "New" }, config);
  posts.delete(7, config);
  posts.cancelPendingRequests("reason");
  cancelPendingRequests();
  core.api("/posts", instance).get().then(core.cancelPendingRequests);

  // @ts-expect-error a module has an instance
  api("/posts");
  // @ts-expect-error an instance sends requests
  api("/posts", {});
  posts.put("", { title: "New" });
  posts.put(undefined, { title: "New" });
  posts.patch(undefined, { title: "New" }, config);
  // @ts-expect-error put() has data
  posts.put();
  // @ts-expect-error put() has data
  posts.put(7);
  // @ts-expect-error a path is not null
  posts.patch(null, {});
  // @ts-expect-error delete() has a path
  posts.delete();
  // @ts-expect-error delete() has a path that is not undefined
  posts.delete(undefined);
  // @ts-expect-error an id is a string or a number
  posts.get({ id: 7 });
  // @ts-expect-error a config has no such setting
  posts.get(7, { singal: signal });
  // @ts-expect-error the entry without Vue has no composable
  core.useApi;

  const none = useApi(() => posts.get<Post[]>());
  prove<Same<typeof none.data, ShallowRef<Post[] | undefined>>>();
  prove<Same<typeof none.error, ShallowRef<Error | undefined>>>();
  prove<Same<typeof none.loading.value, boolean>>();
  prove<Same<Parameters<typeof none.call>, []>>();
  prove<Same<ReturnType<typeof none.call>, Promise<AxiosResponse<Post[]>>>>();
  type InTemplate = ShallowUnwrapRef<typeof none>;
  prove<Same<InTemplate["loading"], boolean>>();
  prove<Same<InTemplate["data"], Post[] | undefined>>();
  prove<Same<InTemplate["error"], Error | undefined>>();
  // @ts-expect-error only useApi() writes loading
  none.loading.value = true;
  none.data.value = [];
  none.error.value = undefined;
  none.abort();
  none.abort("reason");
  // @ts-expect-error this function takes no arguments
  none.call(7);

  const one = useApi((id: number, page?: string) => posts.get<Post>(`${id}/${page}`), false);
  prove<Same<typeof one.data.value, Post | undefined>>();
  prove<Same<Parameters<typeof one.call>, [id: number, page?: string | undefined]>>();
  one.call(7);
  one.call(7, "2");
  // @ts-expect-error an argument is missing
  one.call();
  // @ts-expect-error an argument has another type
  one.call("7");

  // @ts-expect-error with required arguments immediate must be passed
  useApi((id: number) => posts.get(id));
  // @ts-expect-error with required arguments immediate must be false
  useApi((id: number) => posts.get(id), true);
  // @ts-expect-error with required arguments immediate must be of type false
  useApi((id: number) => posts.get(id), Math.random() > 0.5);
  useApi((id?: number) => posts.get(id), true);
  useApi((...ids: number[]) => posts.get(ids.join()), Math.random() > 0.5);
  useApi(() => posts.get(), false);

  const passed = useApi(posts.get);
  prove<Same<typeof passed.data.value, unknown>>();
  const mapped = useApi(async () => ({ data: (await posts.get<Post>(7)).data.title }));
  prove<Same<typeof mapped.data.value, string | undefined>>();
  const plain = useApi(async () =>
    await fetch("/posts").then(async (r) => ({ data: await r.text() }))
  );
  prove<Same<typeof plain.data.value, string | undefined>>();
  // @ts-expect-error a result has data
  useApi(() => Promise.resolve("no response"));
  // @ts-expect-error a result is promised
  useApi(() => ({ data: 7 }));
}

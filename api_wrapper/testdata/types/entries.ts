import type * as main from "@trestle/api-wrapper";
import { useApi, useProgress } from "@trestle/api-wrapper/options";
import { api, type SchemaApi, SchemaError } from "@trestle/api-wrapper/schema";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import axios, { type AxiosRequestConfig } from "axios";
import type { ShallowRef } from "vue";
import { prove, type Same } from "./same.ts";

interface Post {
  id: number;
}

/** Compiled, never run: each line must compile unless it says otherwise. */
export function entries(schema: StandardSchemaV1<unknown, Post>): void {
  const posts: SchemaApi = api("/posts", axios.create());
  const found = posts.get(7, { schema, params: { page: 2 } }).then(({ data }) => data);
  prove<Same<typeof found, Promise<Post>>>();
  const config = { schema, timeout: 1 };
  const changed = posts.patch(undefined, {}, config).then(({ data }) => data);
  prove<Same<typeof changed, Promise<Post>>>();
  const list = posts.get("", { schema }).then(({ data }) => data);
  prove<Same<typeof list, Promise<Post>>>();
  const typed = posts.get<string>(7).then(({ data }) => data);
  prove<Same<typeof typed, Promise<string>>>();
  const plain: main.Api = posts;
  void plain;
  const { issues } = new SchemaError("get", [], Object.create(null));
  prove<Same<typeof issues, readonly StandardSchemaV1.Issue[]>>();
  // @ts-expect-error a schema follows Standard Schema
  posts.get(7, { schema: { parse: () => 7 } });
  // @ts-expect-error delete() has a path
  posts.delete(undefined, { schema });

  const none = useApi(() => posts.get(7, { schema }));
  prove<Same<typeof none.data, ShallowRef<Post | undefined>>>();
  const first = useApi((id: number, tag?: string) => posts.get<string[]>(`${id}${tag}`), {
    immediate: false,
    initialData: [],
    onSuccess: (data, args) => {
      prove<Same<typeof data, string[]>>();
      prove<Same<typeof args, [id: number, tag?: string | undefined]>>();
    },
  });
  prove<Same<Parameters<typeof first.call>, [id: number, tag?: string | undefined]>>();
  first.data.value satisfies readonly string[];
  const { progress, track } = useProgress();
  progress.value?.ratio satisfies number | undefined;
  track({ params: {} }) satisfies AxiosRequestConfig;
  useApi((page?: number) => posts.get(page));
  // @ts-expect-error with required arguments immediate must be passed
  useApi((id: number) => posts.get(id));
  // @ts-expect-error with required arguments immediate must be false
  useApi((id: number) => posts.get(id), { immediate: true });
  // @ts-expect-error there is one value
  useApi(() => posts.get(7), { latest: "ignore" });
}

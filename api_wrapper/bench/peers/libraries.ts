import { useQuery as useColadaQuery, useQueryCache } from "@pinia/colada";
import { QueryClient, useQuery } from "@tanstack/vue-query";
import { useAxios } from "@vueuse/integrations/useAxios";
import type { AxiosInstance } from "axios";
import { createPinia, setActivePinia } from "pinia";
import { computed, nextTick, type Ref, ref } from "vue";
import { clearCache, useRequest } from "vue-request";
import { api, cancelPendingRequests, useApi } from "../../mod.ts";

/** What a probe wants beyond calls and state; a library without it ignores the wish. */
export interface Wishes {
  /** Sends a request that failed again, after a few milliseconds. */
  readonly retry?: boolean;
  /** Keeps the answer for other components; there is only one id. */
  readonly cache?: boolean;
  /** Sends the request again and again. */
  readonly pollMs?: number;
}

/** The state of a component's calls. */
export interface Used {
  /** Calls for the entry of an id; settles with the call. */
  call(id: number): PromiseLike<unknown>;
  readonly data: Readonly<Ref<unknown>>;
  readonly error: Readonly<Ref<unknown>>;
}

/** A library that gives a component the state of its calls. */
export interface Library {
  readonly name: string;
  /** Prepares `GET /posts/<id>` in the `setup()` of a component, as its documentation says. */
  use(instance: AxiosInstance, wishes?: Wishes): Used;
  /** Cancels whatever is pending, in all components; absent if there is no such function. */
  readonly cancelAll?: () => void;
}

const RETRIES = 3;
const RETRY_MS = 5;
const FRESH_MS = 60_000;

/** The libraries in the order of the tables, with empty caches. */
export function createLibraries(): readonly Library[] {
  return [trestle(), vueUse(), vueRequest(), piniaColada(), vueQuery()];
}

function trestle(): Library {
  return {
    name: "api-wrapper",
    cancelAll: () => cancelPendingRequests(),
    use: (instance) => {
      const posts = api("/posts", instance);
      return useApi((id: number) => posts.get(id), false);
    },
  };
}

function vueUse(): Library {
  return {
    name: "useAxios",
    use: (instance) => {
      const { execute, data, error } = useAxios("/posts", instance, { immediate: false });
      return { call: (id) => execute(`/posts/${id}`), data, error };
    },
  };
}

function vueRequest(): Library {
  clearCache();
  return {
    name: "vue-request",
    use: (instance, { retry, cache, pollMs } = {}) => {
      const get = async (id: number) => (await instance.get<unknown>(`/posts/${id}`)).data;
      if (cache) return cached(get);
      const { runAsync, data, error } = useRequest(get, {
        manual: true,
        ...(retry ? { errorRetryCount: RETRIES, errorRetryInterval: RETRY_MS } : {}),
        ...(pollMs === undefined ? {} : { pollingInterval: pollMs }),
      });
      return { call: runAsync, data, error };
    },
  };
}

/** Its cache serves the call that a component begins with, not those of `run()`. */
function cached(get: (id: number) => Promise<unknown>): Used {
  const { data, error } = useRequest(get, {
    defaultParams: [1],
    cacheKey: "post",
    staleTime: FRESH_MS,
  });
  return { call: () => Promise.resolve(), data, error };
}

/** Without its plugins for retries and intervals. */
function piniaColada(): Library {
  const pinia = createPinia();
  return {
    name: "pinia-colada",
    cancelAll: () => void useQueryCache(pinia).cancelQueries(),
    use: (instance, { cache } = {}) => {
      setActivePinia(pinia);
      const id = ref<number>();
      const { data, error, refetch, refresh } = useColadaQuery({
        key: () => ["posts", id.value ?? 0],
        query: async ({ signal }) =>
          (await instance.get<unknown>(`/posts/${id.value}`, { signal })).data,
        enabled: () => id.value !== undefined,
        staleTime: cache ? FRESH_MS : 0,
      });
      const call = async (next: number) => {
        const isNew = id.value !== next;
        id.value = next;
        await nextTick();
        return await (isNew ? refresh(true) : refetch(true));
      };
      return { call, data, error };
    },
  };
}

function vueQuery(): Library {
  const client = new QueryClient();
  return {
    name: "vue-query",
    cancelAll: () => void client.cancelQueries(),
    use: (instance, { retry, cache, pollMs } = {}) => {
      const id = ref<number>();
      const { data, error, refetch } = useQuery({
        queryKey: ["posts", id],
        queryFn: async ({ signal }) =>
          (await instance.get<unknown>(`/posts/${id.value}`, { signal })).data,
        enabled: computed(() => id.value !== undefined),
        retry: retry ? RETRIES : false,
        retryDelay: RETRY_MS,
        staleTime: cache ? FRESH_MS : 0,
        ...(pollMs === undefined ? {} : { refetchInterval: pollMs }),
      }, client);
      const call = async (next: number) => {
        const isNew = id.value !== next;
        id.value = next;
        await nextTick();
        if (isNew && cache && data.value !== undefined) return data.value;
        return await refetch({ cancelRefetch: !isNew });
      };
      return { call, data, error };
    },
  };
}

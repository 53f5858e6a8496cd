import axios, { isCancel } from "axios";
import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { effectScope, isShallow, watch } from "vue";
import { tableRows } from "../test_support/markdown.ts";
import { type Api, api, cancelPendingRequests, useApi } from "./mod.ts";
import { type ServedSite, servePostsSite } from "./testing/posts_site.ts";

/**
 * Checks what a row of the page says about this version, with a site and a module for its posts.
 */
type Trial = (site: ServedSite, posts: Api) => Promise<void>;

const TRIALS: Readonly<Record<string, Trial>> = {
  "`get()`": async ({ url, seen }, posts) => {
    await posts.get();
    await api("/posts/", axios.create({ baseURL: url })).get();
    deepStrictEqual(seen, ["GET /posts", "GET /posts/"]);
  },
  "a module of `https://...`": async () => {
    const sent: unknown[] = [];
    const request = (config: object) => Promise.resolve(sent.push({ ...config }));
    await api("https://example.org/posts", { request }).get(7);
    deepStrictEqual(sent.map((config) => Object(config).url), ["https://example.org/posts/7"]);
  },
  "a path": async ({ seen }, posts) => {
    const paths = ["/a b//c", "../users"];
    const ends = await Promise.allSettled(paths.map((path) => posts.get(path)));
    deepStrictEqual(ends.map(({ status }) => status), ["rejected", "rejected"]);
    deepStrictEqual(seen, ["GET /posts/a%20b//c"]);
  },
  '`delete("")`': async ({ seen }, posts) => {
    await rejects(posts.delete(""), TypeError);
    deepStrictEqual(seen, []);
    await posts.put("", {});
    await posts.patch("", {});
    deepStrictEqual(seen, ["PUT /posts", "PATCH /posts"]);
  },
  "an id that is `undefined`": async ({ seen }, posts) => {
    const id: unknown = undefined;
    await rejects(posts.delete(id as number), TypeError);
    deepStrictEqual(seen, []);
    await posts.get(id as undefined);
    await posts.put(id as undefined, {});
    await posts.patch(id as undefined, {});
    deepStrictEqual(seen, ["GET /posts", "PUT /posts", "PATCH /posts"]);
  },
  "a `cancelToken` in the config": async ({ url }) => {
    const slow = api("/slow", axios.create({ baseURL: url }));
    const { token: cancelToken, cancel } = axios.CancelToken.source();
    const controller = new AbortController();
    const ends = [slow.get("", { cancelToken }), slow.get("", { signal: controller.signal })]
      .map((request) => request.catch(isCancel));
    cancel();
    controller.abort();
    deepStrictEqual(await Promise.all(ends), [true, true]);
  },
  "`cancelPendingRequests()`": async ({ url }, posts) => {
    const slow = api("/slow", axios.create({ baseURL: url }));
    const message = (error: Error) => error.message;
    const ends = [slow.get().catch(message), posts.get(1).catch(message)];
    slow.cancelPendingRequests("one");
    cancelPendingRequests("all");
    deepStrictEqual(await Promise.all(ends), ["one", "all"]);
  },
  "a call of `useApi` that fails": async (_site, posts) => {
    const { error, call } = useApi((id: number) => posts.get(id), false);
    await rejects(call(99));
    strictEqual(error.value?.message, "Request failed with status code 404");
    const again = call(1).catch(isCancel);
    strictEqual(error.value, undefined);
    posts.cancelPendingRequests();
    deepStrictEqual([await again, error.value], [true, undefined]);
  },
  "an immediate call that fails": async (_site, posts) => {
    const { error } = useApi(() => posts.get(99));
    await new Promise<void>((resolve) => void watch(error, () => resolve(), { flush: "sync" }));
    strictEqual(error.value?.message, "Request failed with status code 404");
  },
  '`0`, `false`, `""` and `null` as data': async () => {
    for (const answer of [0, false, "", null]) {
      const { data, call } = useApi(() => Promise.resolve({ data: answer }), false);
      await call();
      strictEqual(data.value, answer);
    }
  },
  "a change within `data.value`": async (_site, posts) => {
    const { data, call } = useApi(() => posts.get(1), false);
    await call();
    strictEqual(isShallow(data), true);
  },
  "two calls at once": async () => {
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const { data, loading, call } = useApi(
      async (at: 0 | 1) => ({ data: await answers[at]?.promise }),
      false,
    );
    const calls = [call(0), call(1)];
    answers[0]?.resolve("earlier");
    await calls[0];
    deepStrictEqual([data.value, loading.value], [undefined, true]);
    answers[1]?.resolve("later");
    await calls[1];
    deepStrictEqual([data.value, loading.value], ["later", false]);
  },
  "`call(...args)`": async ({ seen }, posts) => {
    const { call } = useApi((page?: number) => posts.get(`?page=${page}`), false);
    await call(2);
    deepStrictEqual(seen, ["GET /posts?page=2"]);
  },
  "the end of a component": async ({ url, arrived, hungUp }) => {
    const slow = api("/slow", axios.create({ baseURL: url }));
    const scope = effectScope();
    const state = scope.run(() => useApi(() => slow.get()));
    await arrived("GET /slow");
    scope.stop();
    await hungUp("GET /slow");
    deepStrictEqual([state?.data.value, state?.error.value], [undefined, undefined]);
  },
};

Deno.test("each difference that MIGRATION.md names is tested, and no other", async () => {
  const page = await Deno.readTextFile(new URL("./MIGRATION.md", import.meta.url));
  deepStrictEqual(tableRows(page).map(([first]) => first), Object.keys(TRIALS));
});

for (const [name, trial] of Object.entries(TRIALS)) {
  Deno.test(`MIGRATION.md says what behaves differently from @roland1993/api: ${name}`, async () => {
    await using site = servePostsSite();
    await trial(site, api("/posts", axios.create({ baseURL: site.url })));
  });
}

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import axios from "axios";
import { createSSRApp, defineComponent, h, onServerPrefetch, Suspense } from "vue";
import { renderToString } from "vue/server-renderer";
import { api } from "./api.ts";
import { servePostsSite, type SitePost } from "./testing/posts_site.ts";
import { useApi } from "./use_api.ts";

Deno.test("useApi() call() as a server prefetch provides the rendered data with one request", async () => {
  await using site = servePostsSite();
  const posts = api("/posts", axios.create({ baseURL: site.url }));
  const app = createSSRApp({
    setup() {
      const { loading, data, call } = useApi(() => posts.get<SitePost>(1), false);
      onServerPrefetch(call);
      return () => h("p", `${loading.value} ${data.value?.title}`);
    },
  });
  strictEqual(await renderToString(app), "<p>false Post 1</p>");
  deepStrictEqual(site.seen, ["GET /posts/1"]);
});

Deno.test("useApi() call() is awaited in an async setup on a server", async () => {
  await using site = servePostsSite();
  const posts = api("/posts", axios.create({ baseURL: site.url }));
  const Post = defineComponent({
    async setup() {
      const { data, call } = useApi((id: number) => posts.get<SitePost>(id), false);
      await call(2);
      return () => h("p", data.value?.title);
    },
  });
  const app = createSSRApp({ render: () => h(Suspense, () => h(Post)) });
  strictEqual(await renderToString(app), "<p>Post 2</p>");
});

Deno.test("useApi() keeps a failure of a server prefetch in error, and the page renders", async () => {
  await using site = servePostsSite();
  const posts = api("/posts", axios.create({ baseURL: site.url }));
  const app = createSSRApp({
    setup() {
      const { error, call } = useApi(() => posts.get(99), false);
      onServerPrefetch(() => call().catch(() => {}));
      return () => h("p", error.value?.message);
    },
  });
  strictEqual(await renderToString(app), "<p>Request failed with status code 404</p>");
});

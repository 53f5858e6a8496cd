import axios from "axios";
import { createSSRApp, h, onServerPrefetch } from "vue";
import { renderToString } from "vue/server-renderer";
import { bundle } from "../../../test_support/browser/bundle.ts";
import type { Library } from "./libraries.ts";

const SHOWN = "what the server has loaded";

/** Whether a page that is rendered on a server shows what its component has loaded. */
export async function rendersOnServer(library: Library): Promise<boolean> {
  const instance = axios.create({
    adapter: (config) =>
      Promise.resolve({ data: SHOWN, status: 200, statusText: "OK", headers: {}, config }),
  });
  const app = createSSRApp({
    setup() {
      const { call, data } = library.use(instance);
      onServerPrefetch(async () => void await call(1));
      return () => h("p", String(data.value));
    },
  });
  return (await renderToString(app)).includes(SHOWN);
}

/** Whether a bundle with an entry of `bench/entries` runs in a page without Vue. */
export async function worksWithoutVue(entry: string): Promise<boolean> {
  const url = new URL(`../entries/${entry}.ts`, import.meta.url);
  const text = await bundle(url, { external: ["axios", "vue"] });
  return !/from\s*"vue"/.test(text);
}

/**
 * The playground: a page that mocks a GraphQL schema, all in the browser.
 *
 * @module
 */

import "./page/style.css";
import { createApp } from "vue";
import { Playground } from "./page/Playground.tsx";

/**
 * Keeps all files of the page in the browser. Resolves when it works without a network, and never
 * where there are no service workers, as in some private windows, or in development.
 */
async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return await new Promise(() => {});
  await navigator.serviceWorker.register(new URL("sw.js", document.baseURI));
  // it is ready once it has stored every file
  await navigator.serviceWorker.ready;
}

createApp(Playground, {
  createWorker: () =>
    new Worker(new URL("./mock_worker.ts", import.meta.url), { type: "module", name: "mock" }),
  loadGraphiQL: async () => (await import("./mount_graphiql.ts")).mountGraphiQL,
  offline: keepOffline(),
}).mount("#app");

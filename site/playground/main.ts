/**
 * The playground: a page that mocks a GraphQL schema, all in the browser.
 *
 * @module
 */

import "./page/style.css";
import { createApp } from "vue";
import { Playground } from "./page/Playground.tsx";
import { keepOffline } from "./page/keep_offline.ts";

createApp(Playground, {
  loadGraphiQL: async () => (await import("./mount_graphiql.ts")).mountGraphiQL,
  offline: import.meta.env.PROD
    ? keepOffline(new URL("sw.js", document.baseURI))
    : new Promise(() => {}),
}).mount("#app");

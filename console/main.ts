/**
 * The console of the tool server: a page that calls the server it comes from.
 *
 * @module
 */

import "./jsx_children.ts";
import { createApp } from "vue";
import { App } from "./App.tsx";

createApp(App).mount("#app");

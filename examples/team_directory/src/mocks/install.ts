import type { App } from "vue";
import { HEADER_TOOLS } from "../components/AppHeader.vue";
import MockTools from "./MockTools.vue";
import { MOCK_SERVER, startMockServer } from "./server.ts";

/** Starts the mock server, and adds its panel to the app's header. */
export function installMockServer(app: App): void {
  app.provide(MOCK_SERVER, startMockServer());
  app.provide(HEADER_TOOLS, MockTools);
}

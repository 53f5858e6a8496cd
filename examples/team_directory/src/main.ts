import "@fontsource-variable/inter";
import { createApp } from "vue";
import App from "./App.vue";
import { connectLive } from "./graphql/live.ts";
import { MOCK_SERVER } from "./mocks/inject.ts";
import { router } from "./router.ts";
import "./styles.css";

// An app with a real server needs neither these three lines nor what they load.
const { startMockServer } = await import("./mocks/server.ts");
const mockServer = startMockServer();
connectLive(mockServer.subscribe);

createApp(App).provide(MOCK_SERVER, mockServer).use(router).mount("#app");

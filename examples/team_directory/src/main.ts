import "@fontsource-variable/inter";
import { createApp } from "vue";
import App from "./App.vue";
import { router } from "./router.ts";
import "./styles.css";

const app = createApp(App);

// `vite build` leaves the mock server out; `vite build --mode demo` keeps it.
if (import.meta.env.MODE !== "production") {
  const { startMockServer } = await import("./mocks/server.ts");
  startMockServer();
}

app.use(router).mount("#app");

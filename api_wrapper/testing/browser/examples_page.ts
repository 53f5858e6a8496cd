import { run as runJavaScript } from "../../examples/javascript/main.js";
import { run as runTypeScript } from "../../examples/typescript/main.ts";
import { createApp, h, ref } from "vue";

const query = new URLSearchParams(location.search);
const run = query.get("language") === "JavaScript" ? runJavaScript : runTypeScript;
const output = ref("");
createApp({ render: () => output.value && h("p", output.value) }).mount("#app");
output.value = JSON.stringify(await run("/api", query.get("adapter") === "xhr" ? "xhr" : "fetch"));

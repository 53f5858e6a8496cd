import { api, cancelPendingRequests } from "@trestle/api-wrapper";
import axios from "axios";
import { createApp, h, ref } from "vue";

const adapter = new URLSearchParams(location.search).get("adapter") ?? "xhr";
const slow = api("/api/slow", axios.create({ adapter }));
const lines = ref<string[]>([]);
const addLine = (error: Error) =>
  lines.value = [...lines.value, `${axios.isCancel(error)} ${error.message} ${error.cause}`];

createApp({
  render: () => [
    h("button", { onClick: () => void slow.get(7).catch(addLine) }, "start"),
    h("button", { onClick: () => cancelPendingRequests("why") }, "cancel"),
    h("ul", lines.value.map((line: string) => h("li", line))),
  ],
}).mount("#app");

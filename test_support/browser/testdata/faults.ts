import { createApp, h, ref } from "vue";

const style = await (await fetch("/style.css")).text();
const answer = await (await fetch("/answer")).text();
const state = ref("");
const text = () => `${location.pathname} ${style} ${answer}${state.value}`;
createApp({ render: () => h("p", text()) }).mount("#app");

if (location.pathname === "/faults") {
  console.error("told");
  setTimeout(() => {
    throw new Error("thrown");
  });
  Promise.reject(new Error("rejected"));
  const controller = new AbortController();
  const slow = fetch("/slow?a=1", { signal: controller.signal }).catch(() => {});
  controller.abort();
  await slow;
  state.value = " done";
}

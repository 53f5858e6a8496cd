import { api, cancelPendingRequests, useApi } from "@trestle/api-wrapper";
import axios from "axios";
import { createApp, defineComponent, h, ref, watch } from "vue";
import { createRouter, createWebHistory, RouterLink, RouterView } from "vue-router";

const posts = api("/api/posts", axios.create());

/** The errors of requests outside of a component. */
const lines = ref<string[]>([]);
const addLine = (text: string) => lines.value = [...lines.value, text];

const Home = defineComponent({ render: () => h("p", "Home") });

const Post = defineComponent({
  props: { id: { type: String, required: true } },
  setup(props) {
    const { loading, data, error, call, abort } = useApi(
      (id: string) => posts.get<{ title: string }>(id),
      false,
    );
    const adding = useApi(() => posts.post({ title: "New" }), false);
    const show = () => call(props.id).catch(() => {});
    watch(() => props.id, show, { immediate: true });
    return () => [
      h("p", { class: "loading" }, `loading: ${loading.value}`),
      h("p", { class: "data" }, `data: ${data.value?.title}`),
      h("p", { class: "error" }, `error: ${error.value?.message}`),
      h("button", { onClick: show }, "reload"),
      h("button", { onClick: () => abort() }, "abort"),
      h("button", {
        onClick: () => adding.call().then(({ status }) => addLine(`added: ${status}`), addLine),
      }, "add"),
    ];
  },
});

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: "/", component: Home },
    { path: "/posts/:id", component: Post, props: true },
  ],
});
router.beforeEach(() => {
  if (location.search === "?cancel") cancelPendingRequests("The route has changed");
});

createApp({
  render: () => [
    h("nav", [
      ...["/", "/posts/1", "/posts/2", "/posts/3"].map((to) => h(RouterLink, { to }, () => to)),
      h("button", {
        onClick: () => posts.get("all").catch(({ message }: Error) => addLine(message)),
      }, "get"),
    ]),
    h(RouterView),
    h("ul", lines.value.map((line: string) => h("li", line))),
  ],
}).use(router).mount("#app");

import { cancelPendingRequests } from "@trestle/api-wrapper";
import { createMemoryHistory, createRouter } from "vue-router";

const component = { render: () => "Home" };
const router = createRouter({
  history: createMemoryHistory(), // in a browser createWebHistory()
  routes: [{ path: "/", component }],
});

router.beforeEach((to, from) => {
  if (to.path !== from.path) cancelPendingRequests("The route has changed");
});

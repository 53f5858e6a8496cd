import { createRouter, createWebHashHistory, createWebHistory } from "vue-router";
import { cancelPendingRequests } from "./api/index.ts";
import FeedPage from "./pages/FeedPage.vue";
import NotFoundPage from "./pages/NotFoundPage.vue";
import PeoplePage from "./pages/PeoplePage.vue";
import PersonPage from "./pages/PersonPage.vue";
import RoomsPage from "./pages/RoomsPage.vue";

/** In a folder of a static site, no other path leads to the app. */
const isInFolder = import.meta.env.BASE_URL !== "/";

export const router = createRouter({
  history: isInFolder ? createWebHashHistory() : createWebHistory(),
  routes: [
    { path: "/", component: PeoplePage, meta: { page: "people", title: "People" } },
    { path: "/people/:id", component: PersonPage, props: true, meta: { page: "people" } },
    { path: "/feed", component: FeedPage, meta: { page: "feed", title: "Feed" } },
    { path: "/rooms", component: RoomsPage, meta: { page: "rooms", title: "Rooms" } },
    { path: "/:path(.*)*", component: NotFoundPage, meta: { title: "Not found" } },
  ],
  scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
});

router.beforeEach((to, from) => {
  if (to.path !== from.path) cancelPendingRequests("The route has changed");
});

router.afterEach((to, from) => {
  if (to.path === from.path) return;
  document.title = to.meta.title ? `${to.meta.title} · Quayside` : "Quayside";
});

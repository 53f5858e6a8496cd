import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import HomePage from "./HomePage.vue";
import MissingPage from "./MissingPage.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "not-found": () => h(MissingPage) }),
  enhanceApp: ({ app }) => {
    app.component("HomePage", HomePage);
  },
} satisfies Theme;

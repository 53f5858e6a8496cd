import { readonly, ref, watchEffect } from "vue";

/** The colors of the page; `auto` are those of the system. */
export type Theme = "auto" | "light" | "dark";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const KEY = "trestle.theme";

const theme = ref<Theme>(THEMES.find((one) => one === localStorage.getItem(KEY)) ?? "auto");

watchEffect(() => {
  document.documentElement.dataset.theme = theme.value;
});

/** The chosen theme, also next time. */
export const themeChoice = {
  theme: readonly(theme),
  /** Chooses the next one. */
  next(): void {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
    localStorage.setItem(KEY, theme.value);
  },
};

import { ref, watchEffect } from "vue";

export type Theme = "system" | "light" | "dark";

const KEY = "theme";
const THEMES: readonly Theme[] = ["system", "light", "dark"];

const stored = localStorage.getItem(KEY);
const theme = ref<Theme>(THEMES.find((one) => one === stored) ?? "system");

watchEffect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(KEY, theme.value);
});

/** Light, dark, or the system's setting; stored for the next visit. */
export function useTheme() {
  return { theme, themes: THEMES };
}

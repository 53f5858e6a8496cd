import { onScopeDispose, readonly, ref } from "vue";
import { goTo } from "./use_route.ts";

/** The pages to which a key leads after `g`. */
export const JUMPS: Readonly<Record<string, string>> = {
  o: "",
  t: "tools",
  c: "calls",
  a: "approvals",
  j: "jobs",
  s: "servers",
  h: "health",
  x: "access",
};

/** What is shown above the page. */
type Overlay = "none" | "palette" | "keys";

const overlay = ref<Overlay>("none");
/** How long a key after `g` counts. */
const JUMP_MS = 1_500;

/** What is shown above the page, and how that ends. */
export const overlays = {
  shown: readonly(overlay),
  /** Shows one, or none. */
  show(next: Overlay): void {
    overlay.value = next;
  },
};

/** Takes the keys of the page: `/`, `g` and a letter, `?`, and Ctrl K; none while a text is entered. */
export function useKeys(): void {
  let jumpUntil = 0;

  function onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") {
      event.preventDefault();
      overlay.value = overlay.value === "palette" ? "none" : "palette";
      return;
    }
    if (ctrlKey || metaKey || altKey || isEditing(event.target) || overlay.value !== "none") return;
    const jump = performance.now() < jumpUntil ? JUMPS[key] : undefined;
    jumpUntil = key === "g" ? performance.now() + JUMP_MS : 0;
    if (jump !== undefined) return goTo(...(jump === "" ? [] : [jump]));
    if (key === "?") overlay.value = "keys";
    if (key !== "/") return;
    const field = document.querySelector<HTMLInputElement>("main input[type=search]");
    if (field === null) return;
    event.preventDefault();
    field.focus();
  }

  document.addEventListener("keydown", onKey);
  onScopeDispose(() => document.removeEventListener("keydown", onKey));
}

function isEditing(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input, textarea, select");
}

import { onScopeDispose, shallowRef, watchEffect } from "vue";

/** What the shown page says of itself; nothing by default. */
const details = shallowRef<readonly string[]>([]);

/** Names the browser's tab after a page, and what that says of itself: `Trestle · jobs · running`. */
export function useDocumentTitle(page: () => readonly string[]): void {
  watchEffect(() => {
    const parts = details.value.length > 0 ? details.value : page();
    document.title = ["Trestle", ...parts].join(" · ");
  });
}

/** Says what the shown page is about, while it is shown. */
export function useTitle(parts: () => readonly string[]): void {
  watchEffect(() => details.value = parts());
  onScopeDispose(() => details.value = []);
}

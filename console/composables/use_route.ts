import { computed, type ComputedRef, onScopeDispose, ref, shallowRef, watchEffect } from "vue";

const path = ref(location.hash);
addEventListener("hashchange", () => path.value = location.hash);

/** The page that is shown, and what it is about: `#/jobs/17` is `["jobs", "17"]`. */
export const route: ComputedRef<readonly string[]> = computed(() => parse(path.value));

/** What `route` becomes when the browser reports the change of the address, which may be pending. */
export function nextRoute(): readonly string[] {
  return parse(location.hash);
}

function parse(hash: string): readonly string[] {
  return hash.replace(/^#?\/*/, "").replace(/\?.*$/s, "").split("/").filter((part) => part !== "")
    .map(decode);
}

/** The address of a page within the console. */
export function hrefOf(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** Shows another page. */
export function goTo(...parts: readonly string[]): void {
  location.hash = hrefOf(...parts);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

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

import { computed, type ComputedRef, ref } from "vue";

const path = ref(location.hash);
addEventListener("hashchange", () => path.value = location.hash);

/** The page that is shown, and what it is about: `#/jobs/17` is `["jobs", "17"]`. */
export const route: ComputedRef<readonly string[]> = computed(() =>
  path.value.replace(/^#?\/*/, "").replace(/\?.*$/s, "").split("/").filter((part) => part !== "")
    .map(decode)
);

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

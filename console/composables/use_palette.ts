import { computed, type ComputedRef, type Ref, ref, shallowRef, watch } from "vue";
import { jobs } from "../api/jobs.ts";
import { hrefOf } from "./use_route.ts";
import { session } from "./use_session.ts";

/** Something that the palette leads to. */
export interface PaletteEntry {
  readonly kind: "page" | "tool" | "job";
  readonly name: string;
  readonly href: string;
}

const PAGES = ["tools", "calls", "approvals", "jobs", "servers", "health", "access"];
const MOST = { entries: 12, jobs: 6 };
const PAUSE_MS = 200;

/** Finds pages, tools and jobs by a text. */
export function usePalette(): {
  readonly text: Ref<string>;
  readonly entries: ComputedRef<readonly PaletteEntry[]>;
} {
  const text = ref("");
  const found = shallowRef<readonly PaletteEntry[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function findJobs(search: string): Promise<void> {
    const { data } = await jobs.list({ search: search.slice(0, 200), limit: MOST.jobs });
    if (search !== text.value.trim()) return;
    found.value = data.jobs.map(({ id, tool, title = tool }) => ({
      kind: "job",
      name: title,
      href: hrefOf("jobs", id),
    }));
  }

  watch(text, (next) => {
    clearTimeout(timer);
    const search = next.trim();
    found.value = [];
    if (search !== "") timer = setTimeout(() => void findJobs(search).catch(() => {}), PAUSE_MS);
  });

  const entries = computed((): readonly PaletteEntry[] => {
    const wanted = text.value.trim().toLowerCase();
    const pages = PAGES.map((name) => ({ kind: "page" as const, name, href: hrefOf(name) }));
    const tools = session.tools.value.map(({ name }) => ({
      kind: "tool" as const,
      name,
      href: hrefOf("tools", name),
    }));
    const named = [...pages, ...tools].filter(({ name }) => name.toLowerCase().includes(wanted));
    const rest = MOST.entries - found.value.length;
    return [...named.slice(0, rest), ...found.value];
  });

  return { text, entries };
}

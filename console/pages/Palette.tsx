import {
  computed,
  type ComputedRef,
  defineComponent,
  onMounted,
  type Ref,
  ref,
  shallowRef,
  watch,
} from "vue";
import { JUMPS, overlays } from "../composables/use_keys.ts";
import { eventValue } from "../forms/event_value.ts";
import { jobs } from "../api/jobs.ts";
import { hrefOf } from "../composables/use_route.ts";
import { session } from "../composables/use_session.ts";

/** Leads to pages, tools and jobs by a part of their names. */
export const Palette = defineComponent(() => {
  const { text, entries } = usePalette();
  const dialog = ref<HTMLDialogElement | null>(null);
  const active = ref(0);

  function open(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return;
    overlays.show("none");
    location.hash = entry.href;
  }
  function onKey(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const count = entries.value.length;
      if (count > 0) active.value = (active.value + step + count) % count;
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(entries.value[active.value]);
    }
  }

  watch(text, () => active.value = 0);
  onMounted(() => dialog.value?.showModal());

  return () => (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={() => overlays.show("none")}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Find tools, jobs and pages"
        aria-expanded={entries.value.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={entries.value.length > 0 ? `palette-${active.value}` : undefined}
        placeholder="Find tools, jobs and pages"
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => text.value = eventValue(event)}
        onKeydown={onKey}
      />
      <ul id="palette-list" role="listbox" aria-label="Found">
        {entries.value.map((entry, index) => (
          <li
            key={entry.href}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === active.value}
            onClick={() => open(entry)}
          >
            <span class="size">{entry.kind}</span> {entry.name}
          </li>
        ))}
      </ul>
    </dialog>
  );
}, { name: "Palette" });

/** Something that the palette leads to. */
interface PaletteEntry {
  readonly kind: "page" | "tool" | "job";
  readonly name: string;
  readonly href: string;
}

const PAGES = ["overview", "tools", "calls", "approvals", "jobs", "servers", "health", "access"];
const MOST = { entries: 12, jobs: 6 };
const PAUSE_MS = 200;

/** Finds pages, tools and jobs by a text. */
function usePalette(): {
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
    const pages = PAGES.map((name) => ({
      kind: "page" as const,
      name,
      href: name === "overview" ? hrefOf() : hrefOf(name),
    }));
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

const KEYS: readonly (readonly [keys: string, effect: string])[] = [
  ["Ctrl K", "find tools, jobs and pages"],
  ["/", "search on this page"],
  ["Ctrl Enter", "run the tool whose form is edited"],
  ["Tab", "indent, in scripts and SQL; Esc, then Tab leaves"],
  ...Object.entries(JUMPS).map(([key, page]) =>
    [`g ${key}`, `go to ${page === "" ? "the overview" : page}`] as const
  ),
  ["?", "show these keys"],
];

/** The keys of the console. */
export const KeysHelp = defineComponent(() => {
  const dialog = ref<HTMLDialogElement | null>(null);
  onMounted(() => dialog.value?.showModal());
  return () => (
    <dialog
      ref={dialog}
      class="keys"
      aria-label="Keys"
      onClose={() => overlays.show("none")}
    >
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}, { name: "KeysHelp" });

import { defineComponent, onMounted, ref, watch } from "vue";
import { overlays } from "../composables/use_keys.ts";
import { type PaletteEntry, usePalette } from "../composables/use_palette.ts";
import { eventValue } from "../forms/event_value.ts";

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

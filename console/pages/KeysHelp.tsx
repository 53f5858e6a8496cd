import { defineComponent, onMounted, ref } from "vue";
import { JUMPS, overlays } from "../composables/use_keys.ts";

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

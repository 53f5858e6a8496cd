import { computed, defineComponent, ref, type VNode } from "vue";
import { eventValue } from "./event_value.ts";
import { controlAttributes, FieldFrame, HiddenText } from "./FieldFrame.tsx";
import { FIELD_PROPS, type FieldProps, type Path } from "./field_props.ts";

/** Names of arguments that are programs: scripts and SQL. */
const PROGRAMS: ReadonlySet<string> = new Set(["script", "query", "queries", "sql"]);
const INDENT = "  ";

/** Whether the text at a path is a program. */
export function isProgram(path: Path): boolean {
  const name = path.findLast((key) => typeof key === "string");
  return typeof name === "string" && PROGRAMS.has(name);
}

/** Edits a program: lines have numbers, Tab indents, and Esc before Tab leaves the field. */
export const CodeField = defineComponent((props: FieldProps) => {
  const numbers = ref<HTMLElement | null>(null);
  const text = computed(() => typeof props.value === "string" ? props.value : "");
  const lines = computed(() => text.value.split("\n").length);
  let isLeaving = false;

  function onKey(event: KeyboardEvent): void {
    if (event.key === "Escape") return void (isLeaving = true);
    const isTab = event.key === "Tab" && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!isTab || isLeaving || event.shiftKey) {
      if (event.key !== "Shift") isLeaving = false;
      return;
    }
    event.preventDefault();
    // The only way that leaves the browser's undo as it is.
    document.execCommand("insertText", false, INDENT);
  }
  function onInput(event: Event): void {
    const next = eventValue(event);
    props.update(next === "" && !props.required ? undefined : next);
  }
  function onScroll({ target }: Event): void {
    if (numbers.value !== null && target instanceof Element) {
      numbers.value.scrollTop = target.scrollTop;
    }
  }

  return (): VNode => (
    <FieldFrame {...props}>
      <div class="code-area">
        <div class="numbers" ref={numbers} aria-hidden="true">
          {Array.from({ length: lines.value }, (_, at) => at + 1).join("\n")}
        </div>
        <textarea
          {...controlAttributes(props)}
          rows={8}
          value={text.value}
          title="Tab indents; Esc, then Tab leaves"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          onKeydown={onKey}
          onInput={onInput}
          onScroll={onScroll}
        />
      </div>
      <HiddenText value={text.value} />
    </FieldFrame>
  );
}, { props: FIELD_PROPS, name: "CodeField" });

import { computed, defineComponent, ref, type VNode, watch } from "vue";

/** Properties of a field with code. */
export interface CodeAreaProps {
  /** What it is, for screen readers. */
  readonly label: string;
  readonly value: string;
  /** Lines with a fault, from 1. */
  readonly faults: readonly number[];
  readonly update: (text: string) => void;
  /** Called by Ctrl+Enter. */
  readonly run: () => void;
}

/** A line is as high as the style sheet says. */
const LINE_PX = 19;
/** Lines above the one with a fault, when it is scrolled to. */
const CONTEXT_LINES = 3;

/** Edits code: lines have numbers, faults are marked, and Esc before Tab leaves the field. */
export const CodeArea = defineComponent((props: CodeAreaProps) => {
  const area = ref<HTMLTextAreaElement>();
  const top = ref(0);
  const numbers = computed(() => {
    let count = 1;
    for (let at = props.value.indexOf("\n"); at >= 0; at = props.value.indexOf("\n", at + 1)) {
      count++;
    }
    return Array.from({ length: count }, (_, index) => index + 1).join("\n");
  });
  let isLeaving = false;

  watch(() => props.faults[0], (line) => {
    if (line === undefined || area.value === undefined) return;
    const { scrollTop, clientHeight } = area.value;
    const at = (line - 1) * LINE_PX;
    const isSeen = at >= scrollTop && at < scrollTop + clientHeight - LINE_PX;
    if (!isSeen) area.value.scrollTop = Math.max(0, at - CONTEXT_LINES * LINE_PX);
  }, { flush: "post" });

  function onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key === "Enter" && (ctrlKey || metaKey)) return props.run();
    if (key === "Escape") return void (isLeaving = true);
    const isTab = key === "Tab" && !ctrlKey && !altKey && !metaKey;
    if (!isTab || isLeaving || shiftKey) {
      if (key !== "Shift") isLeaving = false;
      return;
    }
    event.preventDefault();
    // the only way that leaves the browser's undo as it is
    document.execCommand("insertText", false, "  ");
  }

  return (): VNode => (
    <div class="code-area">
      <div class="numbers" aria-hidden="true">
        <div style={{ transform: `translateY(${-top.value}px)` }}>
          {numbers.value}
          {props.faults.map((line) => (
            <span class="fault" key={line} style={{ top: `${(line - 1) * LINE_PX}px` }}>
              {line}
            </span>
          ))}
        </div>
      </div>
      <textarea
        ref={area}
        value={props.value}
        aria-label={props.label}
        aria-invalid={props.faults.length > 0}
        title="Tab indents; Esc, then Tab leaves; Ctrl+Enter runs"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        wrap="off"
        onKeydown={onKey}
        onInput={() => props.update(area.value?.value ?? "")}
        onScroll={() => top.value = area.value?.scrollTop ?? 0}
      />
    </div>
  );
}, { props: ["label", "value", "faults", "update", "run"], name: "CodeArea" });

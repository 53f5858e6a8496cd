import { defineComponent, onScopeDispose, ref } from "vue";

interface ConfirmButtonProps {
  /** What the button does. */
  readonly label: string;
  /** What is asked before it is done. */
  readonly question: string;
  /** A name that tells it from others like it. @default {the label} */
  readonly name?: string;
  readonly disabled?: boolean;
  /** Does it. */
  readonly action: () => void;
}

/** How long the question stays. */
const ASKED_MS = 8_000;

/** A button whose action takes a second click, within 8 s of the first one and elsewhere on the page. */
export const ConfirmButton = defineComponent((props: ConfirmButtonProps) => {
  const isAsking = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function ask(asking: boolean): void {
    clearTimeout(timer);
    isAsking.value = asking;
    if (asking) timer = setTimeout(() => isAsking.value = false, ASKED_MS);
  }
  function confirm(): void {
    ask(false);
    props.action();
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key === "Escape") ask(false);
  }

  onScopeDispose(() => clearTimeout(timer));
  return () => (
    <span class="confirm" onKeydown={onKey}>
      <button
        type="button"
        class="danger"
        disabled={props.disabled}
        aria-label={props.name ?? props.label}
        aria-expanded={isAsking.value}
        onClick={() => ask(!isAsking.value)}
      >
        {props.label}
      </button>
      {isAsking.value && (
        <span class="question" role="status">
          {props.question}
          <button type="button" class="danger" onClick={confirm}>Yes</button>
          <button type="button" class="quiet" onClick={() => ask(false)}>No</button>
        </span>
      )}
    </span>
  );
}, { props: ["label", "question", "name", "disabled", "action"], name: "ConfirmButton" });

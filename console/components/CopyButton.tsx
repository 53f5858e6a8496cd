import { defineComponent, onScopeDispose, ref } from "vue";
import { Icon } from "./Icon.tsx";
import { copyText } from "./save_text.ts";

interface CopyButtonProps {
  /** What is copied, for the button's text. */
  readonly label: string;
  /** Returns the text to copy. */
  readonly text: () => string;
}

const SHOWN_MS = 1_500;

/** Copies a text, and says whether that worked. */
export const CopyButton = defineComponent((props: CopyButtonProps) => {
  const answer = ref("");
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function copy(): Promise<void> {
    answer.value = await copyText(props.text()) ? "Copied" : "Not copied";
    clearTimeout(timer);
    timer = setTimeout(() => answer.value = "", SHOWN_MS);
  }

  onScopeDispose(() => clearTimeout(timer));
  return () => (
    <button type="button" class="quiet" onClick={copy}>
      <Icon name="copy" /> <span aria-live="polite">{answer.value || props.label}</span>
    </button>
  );
}, { props: ["label", "text"], name: "CopyButton" });

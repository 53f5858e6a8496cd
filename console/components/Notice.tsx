import type { VNode } from "vue";

/** Something that went wrong, and perhaps a way to try again. */
export function Notice(
  { text, code = "", retry }: {
    readonly text: string;
    readonly code?: string;
    readonly retry?: () => void;
  },
): VNode {
  return (
    <div class="notice" role="alert">
      <span>{text} {code !== "" && <code>{code}</code>}</span>
      {retry && <button type="button" class="quiet" onClick={retry}>Try again</button>}
    </div>
  );
}

import type { VNode } from "vue";
import { Icon } from "../components/Icon.tsx";

/** Adds something to a group. */
export function AddButton(
  { text, add }: { readonly text: string; readonly add: () => void },
): VNode {
  return (
    <button type="button" class="quiet add" onClick={add}>
      <Icon name="plus" /> {text}
    </button>
  );
}

/** Removes something from a group. */
export function RemoveButton(
  { text, remove }: { readonly text: string; readonly remove: () => void },
): VNode {
  return (
    <button type="button" class="quiet remove" aria-label={text} title={text} onClick={remove}>
      <Icon name="close" />
    </button>
  );
}

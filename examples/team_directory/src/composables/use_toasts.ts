import { shallowReactive } from "vue";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "failed";
}

const DONE_MS = 5000;
const MAX_TOASTS = 4;

const toasts = shallowReactive<Toast[]>([]);
let lastId = 0;

/** Short messages after a write. Errors stay until they are dismissed. */
export function useToasts() {
  function dismiss(id: number): void {
    const index = toasts.findIndex((toast) => toast.id === id);
    if (index >= 0) toasts.splice(index, 1);
  }

  function say(text: string, kind: Toast["kind"] = "done"): void {
    const id = ++lastId;
    toasts.push({ id, text, kind });
    toasts.splice(0, toasts.length - MAX_TOASTS);
    if (kind === "done") setTimeout(() => dismiss(id), DONE_MS);
  }

  return { toasts, say, dismiss };
}

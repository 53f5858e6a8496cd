import { nextTick, type Ref, ref, type ShallowRef, shallowRef, watch } from "vue";
import type { Terminal } from "./use_terminal.ts";

/** A view that follows the end of an output until somebody scrolls away from it. */
export interface Following {
  /** The element that scrolls. */
  readonly scroller: ShallowRef<HTMLElement | null>;
  readonly isFollowing: Readonly<Ref<boolean>>;
  /** Goes to the end, and follows it from now on. */
  follow(): void;
  /** Takes a scroll event. */
  onScroll(): void;
  /** Does something that adds lines before those in view, which stay in view. */
  holding(work: () => Promise<void>): Promise<void>;
}

/** How far from the end the view still follows, in pixels. */
const NEAR_END = 24;

/** Follows the end of an output. */
export function useFollowing(terminal: Terminal): Following {
  const scroller = shallowRef<HTMLElement | null>(null);
  const isFollowing = ref(true);

  function toEnd(): void {
    const { value: view } = scroller;
    if (view !== null) view.scrollTop = view.scrollHeight;
  }

  watch(terminal.revision, () => {
    if (isFollowing.value) void nextTick(toEnd);
  }, { flush: "post" });

  return {
    scroller,
    isFollowing,
    follow() {
      isFollowing.value = true;
      toEnd();
    },
    onScroll() {
      const { value: view } = scroller;
      if (view === null) return;
      isFollowing.value = view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_END;
    },
    async holding(work) {
      const before = scroller.value?.scrollHeight ?? 0;
      isFollowing.value = false;
      await work();
      await new Promise(requestAnimationFrame);
      await nextTick();
      const { value: view } = scroller;
      if (view !== null) view.scrollTop += view.scrollHeight - before;
    },
  };
}

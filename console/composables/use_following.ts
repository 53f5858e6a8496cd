import {
  nextTick,
  onBeforeUnmount,
  onMounted,
  type Ref,
  ref,
  type ShallowRef,
  shallowRef,
} from "vue";

/** A view that follows the end of an output until somebody scrolls up in it. */
export interface Following {
  /** The element that scrolls. */
  readonly scroller: ShallowRef<HTMLElement | null>;
  /** All that is in it. */
  readonly content: ShallowRef<HTMLElement | null>;
  readonly isFollowing: Readonly<Ref<boolean>>;
  /** Goes to the end, and follows it from now on. */
  follow(): void;
  /** Takes a scroll event. */
  onScroll(): void;
  /** Does something that adds lines before those in view, which stay in view. */
  holding(work: () => Promise<void>): Promise<void>;
}

/** How near to the end, in pixels, somebody who scrolls down has reached it. */
const NEAR_END = 24;
/** Positions are fractions of a pixel where the page is zoomed. */
const AT_END = 1;

/** Follows the end of an output, from when it is shown. */
export function useFollowing(): Following {
  const scroller = shallowRef<HTMLElement | null>(null);
  const content = shallowRef<HTMLElement | null>(null);
  const isFollowing = ref(true);
  let last = { top: 0, height: 0 };

  function toEnd(): void {
    const { value: view } = scroller;
    if (view === null) return;
    view.scrollTop = view.scrollHeight;
    last = { top: view.scrollTop, height: view.scrollHeight };
  }

  // Lines that come into view may get another height than was assumed, long after they were added.
  const sizes = new ResizeObserver(() => {
    if (isFollowing.value) toEnd();
  });
  onMounted(() => {
    for (const { value } of [scroller, content]) if (value !== null) sizes.observe(value);
  });
  onBeforeUnmount(() => sizes.disconnect());

  return {
    scroller,
    content,
    isFollowing,
    follow() {
      isFollowing.value = true;
      toEnd();
    },
    onScroll() {
      const { value: view } = scroller;
      if (view === null) return;
      const { scrollTop: top, scrollHeight: height } = view;
      const below = height - top - view.clientHeight;
      const isUp = top < last.top;
      if (below <= AT_END || (!isUp && below < NEAR_END)) isFollowing.value = true;
      // Content that has become shorter moves the view up too, with nobody scrolling.
      else if (isUp && height >= last.height) isFollowing.value = false;
      last = { top, height };
    },
    async holding(work) {
      if (isFollowing.value) return await work();
      const before = scroller.value?.scrollHeight ?? 0;
      await work();
      await new Promise(requestAnimationFrame);
      await nextTick();
      const { value: view } = scroller;
      if (view !== null) view.scrollTop += view.scrollHeight - before;
    },
  };
}

import { defineComponent, ref } from "vue";
import { useFollowing } from "../composables/use_following.ts";
import type { Terminal } from "../composables/use_terminal.ts";
import { CopyButton } from "./CopyButton.tsx";
import { Icon } from "./Icon.tsx";
import { OutputBlock } from "./OutputBlock.tsx";

interface OutputViewProps {
  /** What the output is called. */
  readonly label: string;
  readonly terminal: Terminal;
  /** Whether there is more before what is shown. */
  readonly hasEarlier?: boolean;
  /** Loads what is before. */
  readonly loadEarlier?: () => Promise<void>;
  /** Saves the output as a file. */
  readonly download: () => void | Promise<void>;
  /** Shows it as plain text; without it, there is no button for that. */
  readonly openRaw?: () => Promise<void>;
}

/** Output that is followed, copied and saved. */
export const OutputView = defineComponent((props: OutputViewProps) => {
  const { scroller, content, isFollowing, follow, onScroll, holding } = useFollowing();
  const wraps = ref(true);
  const loadEarlier = () => holding(async () => await props.loadEarlier?.());

  return () => (
    <section class="output" aria-label={props.label}>
      <header>
        <h2>{props.label}</h2>
        <button type="button" class="quiet" aria-pressed={isFollowing.value} onClick={follow}>
          <Icon name="down" /> Follow
        </button>
        <button
          type="button"
          class="quiet"
          aria-pressed={wraps.value}
          onClick={() => wraps.value = !wraps.value}
        >
          Wrap
        </button>
        <CopyButton label="Copy" text={() => props.terminal.buffer.text()} />
        <button type="button" class="quiet" onClick={() => void props.download()}>
          <Icon name="download" /> Download
        </button>
        {props.openRaw !== undefined && (
          <button
            type="button"
            class="quiet"
            onClick={() => void props.openRaw?.()}
          >
            Raw
          </button>
        )}
      </header>
      {props.hasEarlier && (
        <button type="button" class="quiet earlier" onClick={loadEarlier}>
          <Icon name="up" /> Earlier output
        </button>
      )}
      <div
        class={["screen", { unwrapped: !wraps.value }]}
        ref={scroller}
        tabindex={0}
        role="group"
        aria-label={`Text of ${props.label}`}
        data-revision={props.terminal.revision.value}
        onScroll={onScroll}
      >
        <div ref={content}>
          {props.terminal.buffer.dropped > 0 && !props.hasEarlier && (
            <p class="note">[the beginning is not shown any more]</p>
          )}
          {props.terminal.buffer.blocks.map((block) => (
            <OutputBlock key={block.id} block={block} revision={block.revision} />
          ))}
        </div>
      </div>
    </section>
  );
}, {
  props: ["label", "terminal", "hasEarlier", "loadEarlier", "download", "openRaw"],
  name: "OutputView",
});

import { defineComponent, ref, type StyleValue, type VNode } from "vue";
import { useFollowing } from "../composables/use_following.ts";
import type { Terminal } from "../composables/use_terminal.ts";
import { CopyButton } from "./CopyButton.tsx";
import { Icon } from "./Icon.tsx";
import { type Block, isFull, type Line, type Span, spansOf } from "../terminal/terminal_buffer.ts";
import type { TextStyle } from "../terminal/text_style.ts";
import { timeText } from "./times.ts";

interface BlockProps {
  readonly block: Block;
  /** Draws the block again when it changes. */
  readonly revision: number;
  /** Whether each line begins with its time. */
  readonly hasTimes: boolean;
}

/** A group of lines; drawn again only if one of them has changed. */
const OutputBlock = defineComponent((props: BlockProps) => {
  return () => (
    <div class={["block", { full: isFull(props.block) }]} data-revision={props.revision}>
      {props.hasTimes ? props.block.lines.map(drawTimedLine) : spansOf(props.block).map(drawSpan)}
    </div>
  );
}, { props: ["block", "revision", "hasTimes"], name: "OutputBlock" });

function drawTimedLine(line: Line, index: number): VNode {
  return (
    <span key={index}>
      {line.length > 0 && (
        <time class="at">
          {line.at === undefined ? "" : timeText(new Date(line.at).toISOString())}
        </time>
      )}
      {spansOf({ lines: [line] }).map(drawSpan)}
    </span>
  );
}

/** Output is only ever text: it is never parsed as markup. */
function drawSpan({ text, style, source }: Span, index: number): VNode {
  return <span key={index} class={classesOf(style, source)} style={colorsOf(style)}>{text}</span>;
}

function classesOf(style: TextStyle, source: Span["source"]): string[] {
  const { color, background, inverse } = style;
  const flags = (["bold", "dim", "italic", "underline", "strike"] as const)
    .filter((flag) => style[flag]);
  return [
    source,
    ...flags,
    ...(inverse ? ["inverse"] : []),
    ...(typeof color === "number" ? [`fg-${color}`] : []),
    ...(typeof background === "number" ? [`bg-${background}`] : []),
  ];
}

function colorsOf({ color, background }: TextStyle): StyleValue {
  return {
    ...(typeof color === "string" ? { color } : {}),
    ...(typeof background === "string" ? { backgroundColor: background } : {}),
  };
}

interface OutputViewProps {
  /** What the output is called. */
  readonly label: string;
  readonly terminal: Terminal;
  /** Whether it is known when lines came. */
  readonly knowsTimes?: boolean;
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
  const hasTimes = ref(false);
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
        {props.knowsTimes && (
          <button
            type="button"
            class="quiet"
            aria-pressed={hasTimes.value}
            onClick={() => hasTimes.value = !hasTimes.value}
          >
            Times
          </button>
        )}
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
            <OutputBlock
              key={block.id}
              block={block}
              revision={block.revision}
              hasTimes={hasTimes.value}
            />
          ))}
        </div>
      </div>
    </section>
  );
}, {
  props: ["label", "terminal", "knowsTimes", "hasEarlier", "loadEarlier", "download", "openRaw"],
  name: "OutputView",
});

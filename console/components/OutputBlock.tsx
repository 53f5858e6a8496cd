import { defineComponent, type StyleValue, type VNode } from "vue";
import { type Block, isFull, type Span, spansOf } from "../terminal/terminal_buffer.ts";
import type { TextStyle } from "../terminal/text_style.ts";

interface BlockProps {
  readonly block: Block;
  /** Draws the block again when it changes. */
  readonly revision: number;
}

/** A group of lines; drawn again only if one of them has changed. */
export const OutputBlock = defineComponent((props: BlockProps) => {
  return () => (
    <div class={["block", { full: isFull(props.block) }]} data-revision={props.revision}>
      {spansOf(props.block).map(drawSpan)}
    </div>
  );
}, { props: ["block", "revision"], name: "OutputBlock" });

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

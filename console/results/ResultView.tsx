import type { JsonObject, JsonValue } from "@trestle/mcp-server";
import { endingOf } from "@trestle/mcp-server/ending";
import { computed, defineComponent, onScopeDispose, type VNode } from "vue";
import { CopyButton } from "../components/CopyButton.tsx";
import { isObject } from "../schema/field.ts";
import { type ResultPart, toResultParts } from "./result_parts.ts";
import { RowsView } from "./RowsView.tsx";

interface ResultProps {
  readonly result: JsonValue;
  /** Whether the output of its commands is shown already. */
  readonly hasOutput: boolean;
}

/**
 * The result of a call: how each of its commands ended, its rows, texts and images, and the rest as
 * JSON. What is shown elsewhere is left out: output, and how the call has ended.
 */
export const ResultView = defineComponent((props: ResultProps) => {
  const shown = computed(() => toResultParts(props.result, props));

  return () => {
    const { parts, rest } = shown.value;
    const executions = executionsIn(props.result);
    if (parts.length === 0 && rest === undefined && executions.length < 2) return null;
    return (
      <section class="result" aria-label="Result">
        <header>
          <h2>Result</h2>
          {executions.length > 1 && executions.map((execution, index) => (
            <span
              class={["exit", endingOf(execution).outcome === "ok" ? "good" : "bad"]}
              key={index}
            >
              {execution.timedOut === true ? "timed out" : `exit ${execution.exitCode ?? "signal"}`}
            </span>
          ))}
          <CopyButton label="Copy" text={() => JSON.stringify(props.result, null, 2)} />
        </header>
        {parts.map((part, index) => <div class="part" key={index}>{drawPart(part)}</div>)}
        {rest !== undefined && (
          <details open={parts.length === 0}>
            <summary>{parts.length === 0 ? "JSON" : "The rest as JSON"}</summary>
            <pre tabindex={0}>{JSON.stringify(rest, null, 2)}</pre>
          </details>
        )}
      </section>
    );
  };
}, { props: ["result", "hasOutput"], name: "ResultView" });

function drawPart(part: ResultPart): VNode {
  const { title } = part;
  switch (part.kind) {
    case "rows":
      return <RowsView title={title} table={part.table} />;
    case "image":
      return <ImageView title={title} mimeType={part.mimeType} data={part.data} />;
    case "diff":
      return (
        <>
          <h3>{title}</h3>
          <pre tabindex={0} class="diff">{part.text.split("\n").map(drawLine)}</pre>
        </>
      );
    case "text":
      return (
        <>
          <h3>{title}</h3>
          <pre tabindex={0}>{part.text}</pre>
        </>
      );
  }
}

const LINES: readonly (readonly [start: string, kind: string])[] = [
  ["+++", "file"],
  ["---", "file"],
  ["+", "added"],
  ["-", "removed"],
  ["@@", "place"],
];

/** A line of a unified diff; its first character says what it is, also without its color. */
function drawLine(line: string, index: number): VNode {
  const [, kind] = LINES.find(([start]) => line.startsWith(start)) ?? [];
  return <span class={kind} key={index}>{`${line}\n`}</span>;
}

/** The execution results of commands, wherever a tool puts them; the first of many. */
function executionsIn(result: JsonValue): readonly JsonObject[] {
  if (!isObject(result)) return [];
  const all = Array.isArray(result.results) ? result.results.flat() : [result];
  return all.filter((one): one is JsonObject => isObject(one) && "exitCode" in one).slice(0, 20);
}

interface ImageProps {
  readonly title: string;
  readonly mimeType: string;
  /** Its bytes in base64. */
  readonly data: string;
}

/** An image of a result, which comes from no address. */
const ImageView = defineComponent((props: ImageProps) => {
  const url = urlOf(props);
  onScopeDispose(() => url !== undefined && URL.revokeObjectURL(url));
  return () =>
    url === undefined
      ? <p class="empty">This is no image: its bytes can't be read.</p>
      : <img src={url} alt={props.title} />;
}, { props: ["title", "mimeType", "data"], name: "ImageView" });

function urlOf({ data, mimeType: type }: ImageProps): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return URL.createObjectURL(new Blob([bytes], { type }));
  } catch {
    return undefined;
  }
}

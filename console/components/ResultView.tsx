import type { JsonObject, JsonValue } from "@trestle/mcp-server";
import { endingOf } from "@trestle/mcp-server/ending";
import type { VNode } from "vue";
import { isObject } from "../schema/field.ts";
import { CopyButton } from "./CopyButton.tsx";

/** The result of a call: how its commands ended, and all of it as JSON. */
export function ResultView({ result }: { readonly result: JsonValue }): VNode {
  const text = JSON.stringify(result, null, 2);
  return (
    <section class="result" aria-label="Result">
      <header>
        <h2>Result</h2>
        {executionsIn(result).map((execution, index) => (
          <span class={["exit", endingOf(execution).outcome === "ok" ? "good" : "bad"]} key={index}>
            {execution.timedOut === true ? "timed out" : `exit ${execution.exitCode ?? "signal"}`}
          </span>
        ))}
        <CopyButton label="Copy" text={() => text} />
      </header>
      <pre tabindex={0}>{text}</pre>
    </section>
  );
}

/** The execution results of commands, wherever a tool puts them; the first of many. */
function executionsIn(result: JsonValue): readonly JsonObject[] {
  if (!isObject(result)) return [];
  const all = Array.isArray(result.results) ? result.results.flat() : [result];
  return all.filter((one): one is JsonObject => isObject(one) && "exitCode" in one).slice(0, 20);
}

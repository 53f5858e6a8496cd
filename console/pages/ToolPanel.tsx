import type { JsonObject, JsonValue, ToolDefinition } from "@trestle/mcp-server";
import { defineComponent, nextTick, ref, shallowRef, type VNode } from "vue";
import { calls } from "../api/calls.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { CopyButton } from "../components/CopyButton.tsx";
import { Icon } from "../components/Icon.tsx";
import { Notice } from "../components/Notice.tsx";
import { useDraft } from "../composables/use_draft.ts";
import { goTo } from "../composables/use_route.ts";
import { useToolRun } from "../composables/use_tool_run.ts";
import { eventChecked } from "../forms/event_value.ts";
import { JsonEditor } from "../forms/JsonEditor.tsx";
import { SchemaField } from "../forms/SchemaField.tsx";
import { isObject } from "../schema/field.ts";
import { initialArguments } from "../schema/initial_value.ts";
import { curlCommand } from "./curl_command.ts";
import { RunPanel } from "./RunPanel.tsx";

/** A tool: what it does, a form for its arguments, and its latest call. */
export const ToolPanel = defineComponent((props: { readonly tool: ToolDefinition }) => {
  const { tool } = props;
  const args = useDraft(tool);
  const run = useToolRun(tool.name);
  const form = ref<HTMLFormElement | null>(null);
  const actions = ref<HTMLElement | null>(null);
  const startFault = shallowRef<Problem>();
  const takesInput = ref(false);

  function start(event: Event): void {
    event.preventDefault();
    startFault.value = undefined;
    void run.start(args.value);
    void nextTick(showRun);
  }

  /** Brings the output into view, unless enough of it is. */
  function showRun(): void {
    const { value: bar } = actions;
    if (bar !== null && bar.getBoundingClientRect().bottom > innerHeight / 2) {
      bar.scrollIntoView({ block: "start" });
    }
  }

  async function startJob(): Promise<void> {
    if (!form.value?.reportValidity()) return;
    startFault.value = undefined;
    try {
      const stdin = takesInput.value ? { stdin: true } : {};
      const { data } = await calls.startJob({ tool: tool.name, args: args.value, ...stdin });
      goTo("jobs", data.id);
    } catch (error) {
      startFault.value = await toProblem(error);
    }
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.value?.requestSubmit();
  }

  const setArgs = (value: JsonValue | undefined) => args.value = isObject(value) ? value : {};

  return () => {
    const isRunning = run.state.value === "running";
    const issues = (startFault.value ?? run.problem.value)?.issues ?? [];
    return (
      <article class="tool">
        <ToolHeader {...tool} />
        <form ref={form} onSubmit={start} onKeydown={onKey}>
          <div class="arguments">
            <SchemaField
              label="Arguments"
              schema={tool.inputSchema}
              root={tool.inputSchema}
              value={args.value}
              required
              path={[]}
              issues={issues}
              update={setArgs}
            />
            <JsonEditor
              label="The same as JSON"
              value={args.value}
              update={(value: JsonObject) => setArgs(value)}
            />
          </div>
          <div class="actions" ref={actions}>
            <button type="submit" class="primary" disabled={isRunning} title="Ctrl+Enter">
              <Icon name="play" /> Run
            </button>
            {isRunning && (
              <button type="button" class="danger" onClick={() => run.cancel()}>
                <Icon name="stop" /> Cancel
              </button>
            )}
            <button
              type="button"
              onClick={startJob}
              title="A job goes on when this page is closed"
            >
              <Icon name="clock" /> Run as a job
            </button>
            <label class="inline">
              <input
                type="checkbox"
                checked={takesInput.value}
                onChange={(event) => takesInput.value = eventChecked(event)}
              />
              that takes input
            </label>
            <button
              type="button"
              class="quiet"
              onClick={() => args.value = initialArguments(tool.inputSchema)}
            >
              Reset
            </button>
            <CopyButton label="Copy as curl" text={() => curlCommand(tool.name, args.value)} />
          </div>
        </form>
        {startFault.value !== undefined && (
          <Notice text={startFault.value.message} code={startFault.value.code} />
        )}
        {run.state.value !== "idle" && <RunPanel run={run} tool={tool.name} />}
      </article>
    );
  };
}, { props: ["tool"], name: "ToolPanel" });

function ToolHeader({ name, title, description, annotations = {} }: ToolDefinition): VNode {
  const hints = [
    ...(annotations.readOnlyHint === true ? ["read-only"] : []),
    ...(annotations.destructiveHint === true ? ["destructive"] : []),
    ...(annotations.idempotentHint === true ? ["idempotent"] : []),
    ...(annotations.openWorldHint === true ? ["reaches out"] : []),
  ];
  return (
    <header>
      <h2>{title ?? name}</h2>
      <code class="name">{name}</code>
      {hints.map((hint) => <span class="tag" key={hint}>{hint}</span>)}
      <p class="description">{description}</p>
    </header>
  );
}

import type {
  JobRequest,
  JsonObject,
  JsonValue,
  ToolAnnotations,
  ToolDefinition,
} from "@trestle/mcp-server";
import { defineComponent, nextTick, onScopeDispose, shallowRef, type VNode, watch } from "vue";
import { calls } from "../api/calls.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { Notice } from "../components/Notice.tsx";
import { addressedArguments, keepDraft, setDraft, useDraft } from "../composables/use_draft.ts";
import { rememberRun, useRecentRuns } from "../composables/use_recent_runs.ts";
import { goTo, nextRoute, route, useTitle } from "../composables/use_route.ts";
import { type ToolRun, useToolRun } from "../composables/use_tool_run.ts";
import { JsonEditor } from "../forms/JsonField.tsx";
import { SchemaField } from "../forms/SchemaField.tsx";
import { isObject } from "../schema/field.ts";
import { initialArguments } from "../schema/initial_value.ts";
import { toVisibleJson } from "../schema/visible_text.ts";
import { ToolActions } from "./ToolActions.tsx";
import { timeText } from "../components/times.ts";
import { ElapsedTime } from "../components/ElapsedTime.tsx";
import { OutputView } from "../components/OutputView.tsx";
import { ResultView } from "../results/ResultView.tsx";
import { saveFile } from "../components/save_text.ts";
import { StateBadge } from "../components/StateBadge.tsx";

/** A tool: what it does, a form for its arguments, and its latest call. */
export const ToolPanel = defineComponent(({ tool }: { readonly tool: ToolDefinition }) => {
  const { args, isMasked } = useDraft(tool);
  const run = useToolRun(tool.name);
  const form = shallowRef<HTMLFormElement | null>(null);
  const jobFault = shallowRef<Problem>();
  useTitle(() => [tool.name, ...(run.state.value === "idle" ? [] : [run.state.value])]);
  let isRun = false;
  let keeping: ReturnType<typeof setTimeout> | undefined;
  watch(args, keep);
  addEventListener("hashchange", readAddress);
  onScopeDispose(() => {
    clearTimeout(keeping);
    removeEventListener("hashchange", readAddress);
  });
  const setArgs = (value: JsonValue | undefined) => args.value = isObject(value) ? value : {};

  function reset(): void {
    isMasked.value = false;
    setArgs(initialArguments(tool.inputSchema));
  }

  function start(event: Event): void {
    event.preventDefault();
    call(args.value);
  }

  function call(given: JsonObject): void {
    jobFault.value = undefined;
    isRun = true;
    rememberRun(tool.name, given);
    void run.start(given);
    void nextTick(showRun);
  }

  /** The arguments that were run stay in the address that is before the next one. */
  function keep(): void {
    clearTimeout(keeping);
    keeping = setTimeout(() => {
      // else the address of a link that was just followed would be replaced
      const [page, name] = nextRoute();
      if (page !== "tools" || name !== tool.name) return;
      keepDraft(tool.name, args.value, isRun);
      isRun = false;
    }, 300);
  }

  function readAddress(): void {
    const given = addressedArguments();
    if (given !== undefined && route.value[1] === tool.name) setDraft(tool.name, given);
  }

  /** Brings the output into view, unless enough of it is. */
  function showRun(): void {
    const bar = form.value?.querySelector(".actions");
    if (bar && bar.getBoundingClientRect().bottom > innerHeight / 2) {
      bar.scrollIntoView({ block: "start" });
    }
  }

  async function startJob(options: Pick<JobRequest, "stdin" | "tty" | "on">): Promise<void> {
    if (!form.value?.reportValidity()) return;
    jobFault.value = undefined;
    try {
      const call = { tool: tool.name, args: args.value, ...options };
      rememberRun(tool.name, args.value);
      goTo("jobs", (await calls.startJob(call)).data.id);
    } catch (error) {
      jobFault.value = await toProblem(error);
    }
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.value?.requestSubmit();
  }

  return () => (
    <article class="tool">
      <ToolHeader tool={tool} />
      <form ref={form} onSubmit={start} onKeydown={onKey}>
        {isMasked.value && (
          <p class="hint">
            Secrets, variables and input of the earlier run are not kept: fill in what is
            [redacted].
          </p>
        )}
        <div class="arguments">
          <SchemaField
            label="Arguments"
            schema={tool.inputSchema}
            root={tool.inputSchema}
            value={args.value}
            required
            path={[]}
            issues={(jobFault.value ?? run.problem.value)?.issues ?? []}
            update={setArgs}
          />
          <JsonEditor
            label="The same as JSON"
            value={args.value}
            update={(value: JsonObject) => setArgs(value)}
          />
        </div>
        <ToolActions
          run={run}
          startJob={startJob}
          reset={reset}
          curl={() => curlCommand(tool.name, args.value)}
        />
      </form>
      {jobFault.value !== undefined && (
        <Notice text={jobFault.value.message} code={jobFault.value.code} />
      )}
      {run.state.value !== "idle" && <RunPanel run={run} tool={tool.name} />}
      <RecentRuns
        tool={tool.name}
        edit={(given, isWhole) => setDraft(tool.name, given, { isMasked: !isWhole })}
        again={(given) => {
          setDraft(tool.name, given);
          call(given);
        }}
      />
    </article>
  );
}, { props: ["tool"], name: "ToolPanel" });

/** The command by which a shell makes the same call; the token stays in a variable. */
function curlCommand(tool: string, args: JsonObject): string {
  const body = toVisibleJson({ tool, args });
  return [
    `curl -s ${location.origin}/api`,
    "-H 'Content-Type: application/json'",
    '-H "Authorization: Bearer $MCP_TOKEN"',
    `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join(" \\\n  ");
}

/** What a tool is called, and what it does. */
function ToolHeader({ tool }: { readonly tool: ToolDefinition }): VNode {
  const { name, title, description, annotations = {} } = tool;
  return (
    <header>
      <h2>{title ?? name}</h2>
      <code class="name">{name}</code>
      {hintsOf(annotations).map((hint) => <span class="tag" key={hint}>{hint}</span>)}
      <p class="description">{description}</p>
    </header>
  );
}

function hintsOf(annotations: ToolAnnotations): readonly string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    ...(readOnlyHint === true ? ["read-only"] : []),
    ...(destructiveHint === true ? ["destructive"] : []),
    ...(idempotentHint === true ? ["idempotent"] : []),
    ...(openWorldHint === true ? ["reaches out"] : []),
  ];
}

interface RecentRunsProps {
  readonly tool: string;
  /** Enters the arguments of a run. */
  readonly edit: (args: JsonObject, isWhole: boolean) => void;
  /** Calls the tool with them. */
  readonly again: (args: JsonObject) => void;
}

/** The latest runs of a tool from this tab. */
const RecentRuns = defineComponent((props: RecentRunsProps) => {
  const runs = useRecentRuns(props.tool);
  return () => {
    if (runs.value.length === 0) return null;
    return (
      <section class="recent" aria-label="Recent runs">
        <h3>Recent runs</h3>
        <ul>
          {runs.value.map(({ time, args, isWhole }, index) => (
            <li key={time}>
              <span class="size">{timeText(time)}</span>
              <code>{toVisibleJson(args)}</code>
              {isWhole && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Again, run ${index + 1}`}
                  onClick={() => props.again(args)}
                >
                  Again
                </button>
              )}
              <button
                type="button"
                class="quiet"
                aria-label={`Edit run ${index + 1}`}
                onClick={() => props.edit(args, isWhole)}
              >
                Edit
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  };
}, { props: ["tool", "edit", "again"], name: "RecentRuns" });

interface RunPanelProps {
  readonly run: ToolRun;
  /** Name of the tool. */
  readonly tool: string;
}

/** The latest call of a tool: its output while it runs, and then its result. */
const RunPanel = defineComponent(({ run, tool }: RunPanelProps) => {
  const download = () => saveFile(`${tool}.txt`, new Blob([run.terminal.buffer.text()]));

  /** Is read again with each change of it. */
  const hasOutput = () => run.terminal.revision.value >= 0 && run.terminal.buffer.blocks.length > 0;

  return () => {
    const { start, end } = run.times.value;
    const problem = run.problem.value;
    return (
      <section class="run" aria-label="Call">
        <p class="summary" role="status">
          <StateBadge state={run.state.value} ending={run.ending.value} />
          <ElapsedTime start={start} end={end} now={() => performance.now()} />
          {run.progress.value !== "" && <span>{run.progress.value}</span>}
        </p>
        {problem !== undefined && <Notice text={problem.message} code={problem.code} />}
        {(run.state.value === "running" || hasOutput()) && (
          <OutputView label="Output" terminal={run.terminal} download={download} />
        )}
        {run.result.value !== undefined && (
          <ResultView result={run.result.value} hasOutput={hasOutput()} />
        )}
      </section>
    );
  };
}, { props: ["run", "tool"], name: "RunPanel" });

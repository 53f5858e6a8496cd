import { defineComponent } from "vue";
import { ElapsedTime } from "../components/ElapsedTime.tsx";
import { Notice } from "../components/Notice.tsx";
import { OutputView } from "../components/OutputView.tsx";
import { ResultView } from "../results/ResultView.tsx";
import { saveFile } from "../components/save_text.ts";
import { StateBadge } from "../components/StateBadge.tsx";
import type { ToolRun } from "../composables/use_tool_run.ts";

interface RunPanelProps {
  readonly run: ToolRun;
  /** Name of the tool. */
  readonly tool: string;
}

/** The latest call of a tool: its output while it runs, and then its result. */
export const RunPanel = defineComponent(({ run, tool }: RunPanelProps) => {
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

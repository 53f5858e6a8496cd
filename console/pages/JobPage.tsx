import { defineComponent, shallowRef } from "vue";
import { jobs } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { Icon } from "../components/Icon.tsx";
import { Notice } from "../components/Notice.tsx";
import { ResultView } from "../results/ResultView.tsx";
import { saveFile, showText } from "../components/save_text.ts";
import { useApprovals } from "../composables/use_approvals.ts";
import { useJobActions } from "../composables/use_job_actions.ts";
import { useJob } from "../composables/use_job.ts";
import { wholeOutput } from "../composables/use_merged_output.ts";
import { SEARCH_TOOL } from "../composables/use_output_search.ts";
import { session } from "../composables/use_session.ts";
import { useTitle } from "../composables/use_title.ts";
import { goTo, hrefOf } from "../composables/use_route.ts";
import { drawApproval } from "./draw_approval.tsx";
import { JobHeader } from "./JobHeader.tsx";
import { JobInput } from "./JobInput.tsx";
import { OutputSearchBar } from "./OutputSearchBar.tsx";
import { JobOutputs, type OutputName } from "./JobOutputs.tsx";

/** A job: its state, its output, and what can be done with it. */
export const JobPage = defineComponent(({ id }: { readonly id: string }) => {
  const live = useJob(id);
  const actionFault = shallowRef<Problem>();
  const actions = useJobActions();
  const approvals = useApprovals();
  useTitle(() => {
    const { tool, title = tool, state } = live.job.value ?? { tool: id, state: "" };
    return [title, state].filter((part) => part !== "");
  });

  async function act(action: () => Promise<unknown>): Promise<void> {
    actionFault.value = undefined;
    try {
      await action();
    } catch (error) {
      actionFault.value = await toProblem(error);
    }
  }

  const cancel = () => act(() => jobs.cancel(id).then(() => live.refresh()));
  const forget = () => act(() => jobs.forget(id).then(() => goTo("jobs")));
  const read = async (name: OutputName) =>
    name === "output" ? new Blob([await wholeOutput(id)]) : (await jobs.file(id, name)).data;
  const download = (name: OutputName) =>
    act(async () => saveFile(`${id}.${name}.txt`, await read(name)));

  /** The tab is opened at once: later, the browser would refuse it. */
  async function openRaw(name: OutputName): Promise<void> {
    const tab = open("about:blank");
    await act(async () => showText(tab, await read(name)));
  }

  return () => {
    const job = live.job.value;
    const fault = actionFault.value ?? actions.problem.value ?? live.problem.value;
    return (
      <div class="page job">
        <a class="back" href={hrefOf("jobs")}>
          <Icon name="back" /> All jobs
        </a>
        {fault !== undefined && !fault.isAway && <Notice text={fault.message} code={fault.code} />}
        {job !== undefined && (
          <>
            <JobHeader job={job} progress={live.progress.value}>
              {live.isLive
                ? (
                  <button type="button" class="danger" onClick={cancel}>
                    <Icon name="stop" /> Cancel
                  </button>
                )
                : (
                  <>
                    <button type="button" onClick={() => void actions.again(id)}>Again</button>
                    <button type="button" class="quiet" onClick={() => void actions.edit(id)}>
                      Edit and run again
                    </button>
                    <button type="button" class="quiet" onClick={forget}>Forget</button>
                  </>
                )}
            </JobHeader>
            {approvals.list.value?.filter((one) => one.job === id && !one.isOver).map((one) =>
              drawApproval(one, approvals)
            )}
            {session.tools.value.some(({ name }) => name === SEARCH_TOOL) && (
              <OutputSearchBar id={id} />
            )}
            <JobOutputs
              output={{ output: live.merged, ...live.output }}
              download={download}
              openRaw={openRaw}
            />
            {job.stdin === true && live.isLive && <JobInput id={id} />}
            {job.error !== undefined && <Notice text={job.error.message} code={job.error.code} />}
            {job.result !== undefined && (
              <ResultView
                result={job.result}
                hasOutput={job.output.stdout.end + job.output.stderr.end > 0}
              />
            )}
          </>
        )}
      </div>
    );
  };
}, { props: ["id"], name: "JobPage" });

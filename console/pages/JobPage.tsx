import { defineComponent, ref, shallowRef } from "vue";
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
import { usePolling } from "../composables/use_polling.ts";
import { session } from "../composables/use_session.ts";
import { goTo, hrefOf, useTitle } from "../composables/use_route.ts";
import { drawApproval } from "./ApprovalsPage.tsx";
import { JobHeader } from "./JobHeader.tsx";
import { JobQuestion } from "./JobQuestion.tsx";
import { OutputSearchBar } from "./OutputSearchBar.tsx";
import { eventValue } from "../forms/event_value.ts";
import type { Job, OutputStream } from "@trestle/mcp-server";
import { OutputView } from "../components/OutputView.tsx";
import { bytesText } from "../components/times.ts";
import type { JobOutput, ShownOutput } from "../composables/use_job_output.ts";
import { JobTerminal } from "./JobTerminal.tsx";

const POLL_MS = 2_000;

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

  // What a job asks is no event.
  usePolling(async () => {
    if (live.isLive) await live.refresh();
  }, POLL_MS);

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
            {Object.entries(job.questions ?? {}).map(([key, question]) => (
              <JobQuestion
                key={key}
                id={id}
                name={key}
                question={question}
                answered={() => live.refresh()}
              />
            ))}
            {approvals.list.value?.filter((one) => one.job === id && !one.isOver).map((one) =>
              drawApproval(one, approvals)
            )}
            {session.tools.value.some(({ name }) => name === SEARCH_TOOL) && (
              <OutputSearchBar id={id} />
            )}
            <JobOutputs
              job={job}
              isLive={live.isLive}
              stdout={live.output.stdout}
              output={{ output: live.merged, ...live.output }}
              download={download}
              openRaw={openRaw}
            />
            {job.stdin === true && job.tty === undefined && live.isLive && <JobInput id={id} />}
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

/** Writes lines to the input of a job that takes some. */
const JobInput = defineComponent(({ id }: { readonly id: string }) => {
  const text = ref("");
  const isEnded = ref(false);
  const problem = shallowRef<Problem>();

  async function send(content: string, end: boolean): Promise<void> {
    problem.value = undefined;
    try {
      await jobs.write(id, content, end);
      text.value = "";
      isEnded.value ||= end;
    } catch (error) {
      problem.value = await toProblem(error);
    }
  }

  function submit(event: Event): void {
    event.preventDefault();
    void send(`${text.value}\n`, false);
  }

  return () => (
    <form class="input" onSubmit={submit}>
      <label for="stdin">Input</label>
      <input
        id="stdin"
        value={text.value}
        disabled={isEnded.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => text.value = eventValue(event)}
      />
      <button type="submit" disabled={isEnded.value}>Send</button>
      <button type="button" class="quiet" disabled={isEnded.value} onClick={() => send("", true)}>
        {isEnded.value ? "Closed" : "Close the input"}
      </button>
      {problem.value !== undefined && (
        <Notice text={problem.value.message} code={problem.value.code} />
      )}
    </form>
  );
}, { props: ["id"], name: "JobInput" });

interface JobOutputsProps {
  readonly job: Job;
  readonly isLive: boolean;
  /** What its terminal draws, if it has one. */
  readonly stdout: JobOutput;
  readonly output: Readonly<Record<OutputName, ShownOutput>>;
  /** Saves all that is kept of it. */
  readonly download: (name: OutputName) => Promise<void>;
  /** Shows all that is kept of it as plain text, in a tab of its own. */
  readonly openRaw: (name: OutputName) => Promise<void>;
}

/** Both streams, or one of them. */
type OutputName = "output" | OutputStream;

const NAMES: readonly OutputName[] = ["output", "stdout", "stderr"];

/** The streams of a job, as they were written, and one at a time. */
const JobOutputs = defineComponent((props: JobOutputsProps) => {
  const { id, tty } = props.job;
  /** What is written to a terminal is one stream. */
  const streams = tty === undefined ? NAMES : NAMES.slice(0, 1);
  const shown = ref<OutputName | "terminal">(tty === undefined ? "output" : "terminal");

  return () => {
    const name = shown.value;
    return (
      <>
        <div class="tabs" role="group" aria-label="Output">
          {tty !== undefined && (
            <button
              type="button"
              aria-pressed={name === "terminal"}
              onClick={() => shown.value = "terminal"}
            >
              terminal
            </button>
          )}
          {streams.map((stream) => (
            <button
              type="button"
              key={stream}
              aria-pressed={stream === name}
              onClick={() => shown.value = stream}
            >
              {stream} <span class="size">{bytesText(props.output[stream].size.value)}</span>
            </button>
          ))}
        </div>
        {tty !== undefined && name === "terminal"
          ? <JobTerminal id={id} size={tty} output={props.stdout} isLive={props.isLive} />
          : name !== "terminal" && (
            <OutputView
              key={name}
              label={name}
              terminal={props.output[name].terminal}
              knowsTimes={name === "output"}
              hasEarlier={props.output[name].hasEarlier.value}
              loadEarlier={props.output[name].loadEarlier}
              download={() => props.download(name)}
              openRaw={() => props.openRaw(name)}
            />
          )}
      </>
    );
  };
}, { props: ["job", "isLive", "stdout", "output", "download", "openRaw"], name: "JobOutputs" });

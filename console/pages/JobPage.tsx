import type { Job, OutputStream } from "@trestle/mcp-server";
import { defineComponent, ref, shallowRef, type VNode } from "vue";
import { jobs } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { CopyButton } from "../components/CopyButton.tsx";
import { ElapsedTime } from "../components/ElapsedTime.tsx";
import { Icon } from "../components/Icon.tsx";
import { Notice } from "../components/Notice.tsx";
import { OutputView } from "../components/OutputView.tsx";
import { ResultView } from "../components/ResultView.tsx";
import { saveFile } from "../components/save_text.ts";
import { StateBadge } from "../components/StateBadge.tsx";
import { bytesText, timeText } from "../components/times.ts";
import { useJob } from "../composables/use_job.ts";
import { goTo, hrefOf } from "../composables/use_route.ts";
import { JobInput } from "./JobInput.tsx";

const STREAMS: readonly OutputStream[] = ["stdout", "stderr"];

/** A job: its state, its output, and what can be done with it. */
export const JobPage = defineComponent(({ id }: { readonly id: string }) => {
  const { job, output, progress, problem, isLive, refresh } = useJob(id);
  const stream = ref<OutputStream>("stdout");
  const actionFault = shallowRef<Problem>();

  async function act(action: () => Promise<unknown>): Promise<void> {
    actionFault.value = undefined;
    try {
      await action();
    } catch (error) {
      actionFault.value = await toProblem(error);
    }
  }

  const cancel = () => act(() => jobs.cancel(id).then(refresh));
  const forget = () => act(() => jobs.forget(id).then(() => goTo("jobs")));
  const download = (of: OutputStream) =>
    act(async () => saveFile(`${id}.${of}.txt`, (await jobs.file(id, of)).data));

  return () => {
    const { value: current } = job;
    const fault = actionFault.value ?? problem.value;
    return (
      <div class="page job">
        <a class="back" href={hrefOf("jobs")}>
          <Icon name="back" /> All jobs
        </a>
        {fault !== undefined && !fault.isAway && <Notice text={fault.message} code={fault.code} />}
        {current !== undefined && (
          <>
            <JobHeader job={current} progress={progress.value}>
              {isLive.value
                ? (
                  <button type="button" class="danger" onClick={cancel}>
                    <Icon name="stop" /> Cancel
                  </button>
                )
                : <button type="button" class="quiet" onClick={forget}>Forget</button>}
            </JobHeader>
            <div class="tabs" role="group" aria-label="Output">
              {STREAMS.map((one) => (
                <button
                  type="button"
                  key={one}
                  aria-pressed={one === stream.value}
                  onClick={() => stream.value = one}
                >
                  {one} <span class="size">{bytesText(output[one].size.value)}</span>
                </button>
              ))}
            </div>
            <OutputView
              key={stream.value}
              label={stream.value}
              terminal={output[stream.value].terminal}
              hasEarlier={output[stream.value].hasEarlier.value}
              loadEarlier={output[stream.value].loadEarlier}
              download={() => download(stream.value)}
            />
            {current.stdin === true && isLive.value && <JobInput id={id} />}
            {current.error !== undefined && (
              <Notice text={current.error.message} code={current.error.code} />
            )}
            {current.result !== undefined && <ResultView result={current.result} />}
          </>
        )}
      </div>
    );
  };
}, { props: ["id"], name: "JobPage" });

interface JobHeaderProps {
  readonly job: Job;
  readonly progress: string;
  readonly children?: VNode;
}

function JobHeader(
  { job, progress }: JobHeaderProps,
  { slots }: { readonly slots: { readonly default?: () => VNode[] } },
): VNode {
  const { id, tool, state, createdAt, startedAt, endedAt, expiresAt, caller } = job;
  const facts: readonly (readonly [string, VNode | string | undefined])[] = [
    ["created", timeText(createdAt)],
    ["took", startedAt === undefined ? undefined : took(startedAt, endedAt)],
    ["ended", endedAt === undefined ? undefined : timeText(endedAt)],
    ["kept until", expiresAt === undefined ? undefined : timeText(expiresAt)],
    ["caller", caller],
    ["progress", progress === "" ? undefined : progress],
  ];
  return (
    <header>
      <h1>{tool}</h1>
      <span role="status">
        <StateBadge state={state} />
      </span>
      <code class="id">{id}</code>
      <CopyButton label="Copy the id" text={() => id} />
      {slots.default?.()}
      <dl class="facts">
        {facts.filter(([, value]) => value !== undefined).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

function took(startedAt: string, endedAt: string | undefined): VNode {
  const end = endedAt === undefined ? undefined : Date.parse(endedAt);
  return <ElapsedTime start={Date.parse(startedAt)} end={end} now={Date.now} />;
}

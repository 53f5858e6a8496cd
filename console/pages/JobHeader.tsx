import type { Job } from "@trestle/mcp-server";
import type { VNode } from "vue";
import { CopyButton } from "../components/CopyButton.tsx";
import { ElapsedTime } from "../components/ElapsedTime.tsx";
import { StateBadge } from "../components/StateBadge.tsx";
import { timeText } from "../components/times.ts";

interface JobHeaderProps {
  readonly job: Job;
  /** What its tool reports about its progress. */
  readonly progress: string;
  /** The buttons. */
  readonly children?: VNode;
}

/** What a job is, and how it is. */
export function JobHeader(
  { job, progress }: JobHeaderProps,
  { slots }: { readonly slots: { readonly default?: () => VNode[] } },
): VNode {
  const { id, tool, title = tool, state } = job;
  return (
    <header>
      <h1>{title}</h1>
      <span role="status">
        <StateBadge state={state} ending={job} />
      </span>
      <code class="id">{id}</code>
      <CopyButton label="Copy the id" text={() => id} />
      {slots.default?.()}
      <dl class="facts">
        {factsOf(job, progress).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

type Fact = readonly [name: string, value: VNode | string];

/** What is known of a job; the rest is left out. */
function factsOf(job: Job, progress: string): readonly Fact[] {
  const { tool, createdAt, startedAt, endedAt, expiresAt, caller, server, attempt, waiting } = job;
  const facts: readonly (readonly [string, VNode | string | undefined])[] = [
    ["tool", tool],
    ["created", timeText(createdAt)],
    ["took", startedAt && took(startedAt, endedAt)],
    ["ended", endedAt && timeText(endedAt)],
    ["kept until", expiresAt && timeText(expiresAt)],
    ["caller", caller],
    ["server", server],
    ["attempt", attempt === undefined ? undefined : String(attempt)],
    ["progress", progress],
    ["waits for", waiting],
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value]]
  );
}

function took(startedAt: string, endedAt: string | undefined): VNode {
  const end = endedAt === undefined ? undefined : Date.parse(endedAt);
  return <ElapsedTime start={Date.parse(startedAt)} end={end} now={Date.now} />;
}

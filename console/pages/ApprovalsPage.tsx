import type { Decision } from "@trestle/mcp-server";
import { defineComponent, onScopeDispose, type VNode } from "vue";
import { Notice } from "../components/Notice.tsx";
import { timeText } from "../components/times.ts";
import {
  type ApprovalQueue,
  type ShownApproval,
  useApprovals,
} from "../composables/use_approvals.ts";
import { hrefOf } from "../composables/use_route.ts";
import { session } from "../composables/use_session.ts";

/** The calls that wait for approval, with their arguments, and what decides about each. */
export const ApprovalsPage = defineComponent(() => {
  const queue = useApprovals();
  const { list, count, problem, load } = queue;
  // What ended while another page was shown has no place here yet.
  queue.forget();
  onScopeDispose(queue.forget);

  return () => (
    <div class="page">
      <header>
        <h1>Approvals</h1>
        <span role="status">
          {count.value === 1 ? "1 call waits" : `${count.value} calls wait`}
        </span>
      </header>
      {problem.value !== undefined && !problem.value.isAway && (
        <Notice text={problem.value.message} code={problem.value.code} retry={load} />
      )}
      {list.value?.length === 0 && <p class="empty">No call waits for approval.</p>}
      {list.value?.map((approval) => drawApproval(approval, queue))}
    </div>
  );
}, { name: "ApprovalsPage" });

/** A call that waits, or has waited, with its arguments and what decides about it. */
export function drawApproval(approval: ShownApproval, queue: ApprovalQueue): VNode {
  const { id, tool, caller, job } = approval;
  const { text, length, truncated } = approval.arguments;
  return (
    <section class="result" key={id} aria-label={`${tool} of ${caller}`}>
      <header>
        <strong class="name">{tool}</strong>
        <span>of {caller}</span>
        <span class="inline">{wayOf(approval)}</span>
        {approval.stdin && <span class="tag">takes any input</span>}
        {job !== undefined && <a href={hrefOf("jobs", job)}>job</a>}
        <span class="inline">{stateOf(approval)}</span>
        {drawButtons(approval, queue)}
      </header>
      {truncated && (
        <p class="notice">
          A part of the arguments, which have {length} characters, is not shown.
        </p>
      )}
      <pre tabindex={0} aria-label="Arguments">{text}</pre>
    </section>
  );
}

function drawButtons(approval: ShownApproval, queue: ApprovalQueue): VNode | undefined {
  const { tool, caller, isOver } = approval;
  if (isOver || caller === session.me.value?.name) return undefined;
  const draw = (decision: Decision, label: string) => (
    <button
      type="button"
      class={decision === "decline" ? "danger" : undefined}
      disabled={queue.isDeciding(approval)}
      aria-label={`${label} ${tool} of ${caller}`}
      onClick={() => void queue.decide(approval, decision)}
    >
      {label}
    </button>
  );
  return (
    <>
      {draw("approve", "Approve")}
      {draw("decline", "Decline")}
    </>
  );
}

function wayOf({ transport, address }: ShownApproval): string {
  return address === undefined ? transport : `${transport}, ${address}`;
}

function stateOf({ isOver, decision, caller, inClient, expiresAt }: ShownApproval): string {
  if (decision !== undefined) return decision === "approve" ? "approved" : "declined";
  if (isOver) return "waits no longer";
  if (caller === session.me.value?.name) return "your own call: another admin decides";
  const until = `until ${timeText(expiresAt)}`;
  return inClient ? `${until}; the user of its client is asked, too` : until;
}

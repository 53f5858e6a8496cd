import { defineComponent, onScopeDispose } from "vue";
import { Notice } from "../components/Notice.tsx";
import { useApprovals } from "../composables/use_approvals.ts";
import { drawApproval } from "./draw_approval.tsx";

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

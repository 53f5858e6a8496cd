import { defineComponent, nextTick, type VNode } from "vue";
import { CardTable } from "../components/CardTable.tsx";
import { ConfirmButton } from "../components/ConfirmButton.tsx";
import { ElapsedTime } from "../components/ElapsedTime.tsx";
import { Notice } from "../components/Notice.tsx";
import { timeText } from "../components/times.ts";
import { hrefOf } from "../composables/use_route.ts";
import {
  type RunningCallList,
  type ShownCall,
  useRunningCalls,
} from "../composables/use_running_calls.ts";
import { HistoryTable } from "./HistoryTable.tsx";

/** The calls that run on the server, and a way to stop each. */
export const CallsPage = defineComponent(() => {
  const running = useRunningCalls();
  const { list, more, unreachable, problem, stopped, load } = running;

  return () => (
    <div class="page">
      <header>
        <h1>Calls</h1>
        <span role="status">
          {stopped.value && `${verb(stopped.value.stopping)} ${nameOf(stopped.value)}`}
        </span>
      </header>
      {problem.value !== undefined && !problem.value.isAway && (
        <Notice text={problem.value.message} code={problem.value.code} retry={load} />
      )}
      {list.value !== undefined && drawTable(list.value, running)}
      {more.value > 0 && <p class="empty">{more.value} more calls run.</p>}
      {unreachable.value.length > 0 && (
        <p class="notice">These servers did not answer: {unreachable.value.join(", ")}</p>
      )}
      <HistoryTable />
    </div>
  );
}, { name: "CallsPage" });

const COLUMNS = ["Call", "Caller", "Server", "Transport", "Since", "Running for", "Stop"];

function drawTable(list: readonly ShownCall[], running: RunningCallList): VNode {
  if (list.length === 0) return <p class="empty">No call runs.</p>;
  return <CardTable columns={COLUMNS}>{list.map((call) => drawRow(call, running))}</CardTable>;
}

function drawRow(call: ShownCall, running: RunningCallList): VNode {
  const { id, tool, caller, server, transport, address, job, startedAt, start, waiting } = call;
  const name = (
    <>
      <span class="name">{tool}</span> <span class="id">{id}</span>
    </>
  );
  const isStopping = running.isStopping(call);
  const action = isStopping ? "Stopping" : "Stop";
  return (
    <tr key={id}>
      <td>{job === undefined ? name : <a href={hrefOf("jobs", job)}>{name}</a>}</td>
      <td>{caller}</td>
      <td>{server}</td>
      <td>{address === undefined ? transport : `${transport}, ${address}`}</td>
      <td>{timeText(startedAt)}</td>
      <td>
        <ElapsedTime start={start} now={Date.now} />
        {waiting !== undefined && ` (waits for ${waiting})`}
      </td>
      <td>
        <ConfirmButton
          label={action}
          name={`${action} ${nameOf(call)}`}
          question={`Stop it on ${server}?`}
          disabled={isStopping}
          action={() => void running.stop(call).then(keepFocus)}
        />
      </td>
    </tr>
  );
}

function nameOf({ tool, id, caller }: Pick<ShownCall, "tool" | "id" | "caller">): string {
  return `${tool} ${id} of ${caller}`;
}

function verb(stopping: boolean): string {
  return stopping ? "Still running although it was stopped:" : "Stopped";
}

/** The button goes with its call: the keyboard continues at the beginning of the page. */
async function keepFocus(): Promise<void> {
  await nextTick();
  if (document.activeElement !== document.body) return;
  document.getElementById("content")?.focus();
}

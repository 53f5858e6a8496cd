import type { EndedCallRecord } from "@trestle/mcp-server";
import { computed, defineComponent, ref, type ShallowRef, shallowRef, type VNode } from "vue";
import { CardTable } from "../components/CardTable.tsx";
import { Notice } from "../components/Notice.tsx";
import { durationText, timeText } from "../components/times.ts";
import { hrefOf } from "../composables/use_route.ts";
import { eventValue } from "../forms/event_value.ts";
import { calls } from "../api/calls.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { usePolling } from "../composables/use_polling.ts";

const COLUMNS = ["Call", "Outcome", "Caller", "Server", "Transport", "Began", "Took"];
/** How many calls are drawn; the filter looks at all. */
const MOST = 200;

/** The last calls that have ended, filtered by a text. */
export const HistoryTable = defineComponent(() => {
  const { list, problem } = useHistory();
  const wanted = ref("");
  const isByDuration = ref(false);
  const found = computed(() => {
    const text = wanted.value.trim().toLowerCase();
    const some =
      list.value?.filter(({ id, tool, caller, server = "", outcome, transport, startedAt }) =>
        [id, tool, caller, server, outcome, transport, timeText(startedAt)].some((one) =>
          one.toLowerCase().includes(text)
        )
      ) ?? [];
    return isByDuration.value
      ? some.toSorted((one, other) => other.durationMs - one.durationMs)
      : some;
  });

  return () => (
    <section aria-label="History">
      <header class="part-head">
        <h2>History</h2>
        <div class="field">
          <label for="history-filter">Find a call</label>
          <input
            id="history-filter"
            type="search"
            placeholder="tool, caller, outcome, time"
            value={wanted.value}
            onInput={(event) => wanted.value = eventValue(event)}
          />
        </div>
        <div class="field">
          <label for="history-order">Order</label>
          <select
            id="history-order"
            onChange={(event) => isByDuration.value = eventValue(event) === "longest"}
          >
            <option value="last">last</option>
            <option value="longest" selected={isByDuration.value}>longest</option>
          </select>
        </div>
      </header>
      {problem.value !== undefined && !problem.value.isAway && (
        <Notice text={problem.value.message} code={problem.value.code} />
      )}
      {found.value.length === 0
        ? <p class="empty">No such call has ended yet.</p>
        : <CardTable columns={COLUMNS}>{found.value.slice(0, MOST).map(drawRow)}</CardTable>}
      {found.value.length > MOST && <p class="empty">{found.value.length - MOST} more calls.</p>}
    </section>
  );
}, { name: "HistoryTable" });

function drawRow(call: EndedCallRecord): VNode {
  const { id, tool, caller, server, transport, startedAt, durationMs, outcome, job } = call;
  const name = (
    <>
      <span class="name">{tool}</span> <span class="id">{id}</span>
    </>
  );
  return (
    <tr key={id}>
      <td>{job === undefined ? name : <a href={hrefOf("jobs", job)}>{name}</a>}</td>
      <td>
        <span class={["state", outcome === "ok" ? "state-completed" : "state-failed"]}>
          {outcome}
        </span>
      </td>
      <td>{caller}</td>
      <td>{server}</td>
      <td>{transport}</td>
      <td>{timeText(startedAt)}</td>
      <td>{durationText(durationMs)}</td>
    </tr>
  );
}

/** The calls of the server that have ended. */
interface History {
  /** The one that ended last is at the top; `undefined` until they are loaded. */
  readonly list: Readonly<ShallowRef<readonly EndedCallRecord[] | undefined>>;
  /** Why they can't be loaded. */
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
}

const POLL_MS = 5_000;

/** Loads the last calls again and again. */
function useHistory(): History {
  const list = shallowRef<readonly EndedCallRecord[]>();
  const problem = shallowRef<Problem>();
  usePolling(async () => {
    try {
      list.value = (await calls.history()).data.calls;
      problem.value = undefined;
    } catch (error) {
      problem.value = await toProblem(error);
    }
  }, POLL_MS);
  return { list, problem };
}

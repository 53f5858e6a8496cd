import { defineComponent, type VNode } from "vue";
import type { PlannedFailure } from "@trestle/mirage-graphql";
import type { FailureScope } from "../mock/request_log.ts";
import type { Playground } from "../use_playground.ts";

const LATENCIES: readonly (readonly [ms: number, name: string])[] = [
  [0, "At once"],
  [300, "After 300 ms"],
  [1_000, "After 1 s"],
  [3_000, "After 3 s"],
];

const FAILURES: readonly (readonly [name: string, failure: PlannedFailure])[] = [
  ["a GraphQL error", { message: "Planned failure" }],
  ["HTTP 401", 401],
  ["HTTP 429", 429],
  ["HTTP 500", 500],
  ["HTTP 503", 503],
  ["a broken connection", "network"],
];

const SCOPES: readonly (readonly [scope: FailureScope, name: string])[] = [
  ["next", "the next request"],
  ["every", "every request"],
];

/** What was sent, what answered it, and what the next requests meet. */
export const RequestsPane = defineComponent((props: { readonly state: Playground }) => {
  const { state } = props;
  function chooseFailure(event: Event): void {
    const [scope, index] = event.target instanceof HTMLSelectElement
      ? event.target.value.split(" ")
      : [];
    const chosen = FAILURES[Number(index ?? -1)];
    const known = SCOPES.find(([name]) => name === scope);
    state.failure.value = chosen && known && { failure: chosen[1], scope: known[0] };
  }
  function failureValue(): string {
    const { value } = state.failure;
    const index = FAILURES.findIndex(([, failure]) => failure === value?.failure);
    return value === undefined ? "" : `${value.scope} ${index}`;
  }

  return (): VNode => (
    <div class="requests">
      <div class="bar">
        <select
          aria-label="Latency"
          value={state.latency.value}
          onChange={(event: Event) => {
            if (event.target instanceof HTMLSelectElement) {
              state.latency.value = Number(event.target.value);
            }
          }}
        >
          {LATENCIES.map(([ms, name]) => <option key={ms} value={ms}>{name}</option>)}
        </select>
        <select aria-label="Failures" value={failureValue()} onChange={chooseFailure}>
          <option value="">No failures</option>
          {SCOPES.map(([scope, scopeName]) => (
            <optgroup key={scope} label={`Fail ${scopeName}`}>
              {FAILURES.map(([name], index) => (
                <option key={index} value={`${scope} ${index}`}>
                  {scope === "next" ? "Next: " : "Every: "}
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <button type="button" class="quiet" onClick={state.clearRequests}>Clear</button>
      </div>
      <div class="scroll">
        {state.requests.value.length === 0
          ? <p class="empty">Nothing was sent yet. Run the operation in GraphiQL.</p>
          : (
            <ol class="log">
              {state.requests.value.map((one) => (
                <li key={one.number} data-failed={one.hasFailed}>
                  <details>
                    <summary>
                      <span class="type">{one.type}</span>
                      <b>{one.name}</b>
                      <span class="state">{one.state}</span>
                      <span class="time">
                        {one.duration === undefined ? "" : `${one.duration.toFixed(1)} ms`}
                      </span>
                    </summary>
                    <ul class="answered" aria-label="Answered by">
                      {one.answeredBy.map((line) => <li key={line}>{line}</li>)}
                    </ul>
                    <pre tabindex={0} aria-label="Operation">{one.query}</pre>
                    {one.variables === ""
                      ? null
                      : <pre tabindex={0} aria-label="Variables">{one.variables}</pre>}
                    <pre tabindex={0} aria-label="Answer">{one.answer}</pre>
                  </details>
                </li>
              ))}
            </ol>
          )}
      </div>
    </div>
  );
}, { props: ["state"], name: "RequestsPane" });

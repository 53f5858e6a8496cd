import { computed, defineComponent, type VNode } from "vue";
import { CodeArea } from "../components/CodeArea.tsx";
import { SAMPLES } from "../samples/samples.ts";
import type { Playground } from "../use_playground.ts";

/** The schema: chosen, pasted or edited, with its faults. */
export const SchemaPane = defineComponent((props: { readonly state: Playground }) => {
  const { state } = props;
  const lines = computed(() =>
    state.problems.value.flatMap(({ line }) => line === undefined ? [] : [line])
  );
  const summary = computed(() => {
    const counts = Object.values(state.tables.value).map((records) => records.length);
    const records = counts.reduce((sum, count) => sum + count, 0);
    return `${counts.length} ${counts.length === 1 ? "table" : "tables"}, ${records} ${
      records === 1 ? "record" : "records"
    }`;
  });
  function choose(event: Event): void {
    const name = event.target instanceof HTMLSelectElement ? event.target.value : "";
    const sample = SAMPLES.find((one) => one.name === name);
    if (sample !== undefined) state.openSample(sample);
  }

  return (): VNode => (
    <section class="schema" aria-labelledby="schema-title">
      <div class="bar">
        <h2 id="schema-title">Schema</h2>
        <select aria-label="Example schema" value={state.sampleName.value} onChange={choose}>
          <option value="" disabled>
            {state.sampleName.value === "" ? "Your schema" : "Examples"}
          </option>
          {SAMPLES.map(({ name, about }) => (
            <option key={name} value={name} title={about}>{name}</option>
          ))}
        </select>
        {state.isWaiting.value
          ? <button type="button" class="primary" onClick={state.start}>Mock it</button>
          : null}
      </div>
      <CodeArea
        label="GraphQL schema"
        value={state.schemaText.value}
        faults={lines.value}
        update={(text) => state.schemaText.value = text}
        run={state.start}
      />
      <div class="verdict" role="status">
        {state.isStarting.value
          ? <p>The schema is being mocked …</p>
          : state.isWaiting.value
          ? <p>A large schema is mocked when you ask for it: Ctrl+Enter.</p>
          : state.problems.value.length === 0
          ? <p>Mocked: {summary.value}</p>
          : (
            <ul class="problems">
              {state.problems.value.map(({ message, line, column }, at) => (
                <li key={at}>{line === undefined ? "" : `Line ${line}:${column}: `}{message}</li>
              ))}
            </ul>
          )}
      </div>
    </section>
  );
}, { props: ["state"], name: "SchemaPane" });

import { computed, defineComponent, type VNode } from "vue";
import { CodeArea } from "../components/CodeArea.tsx";
import { RESOLVERS_EXAMPLE } from "../mock/user_resolvers.ts";
import type { Playground } from "../use_playground.ts";

/** A module with resolvers, which runs only when the user says so. */
export const ResolversPane = defineComponent((props: { readonly state: Playground }) => {
  const { state } = props;
  const isRunning = computed(() => state.runningText.value !== "");
  const isEdited = computed(() => state.resolverText.value !== state.runningText.value);

  return (): VNode => (
    <div class="resolvers">
      <div class="bar">
        <button
          type="button"
          class="primary"
          disabled={state.resolverText.value === "" || !isEdited.value}
          onClick={state.runResolvers}
        >
          Run in this page
        </button>
        {isRunning.value ? <button type="button" onClick={state.stopResolvers}>Stop</button> : null}
        {state.resolverText.value === ""
          ? (
            <button type="button" onClick={() => state.resolverText.value = RESOLVERS_EXAMPLE}>
              Write a resolver
            </button>
          )
          : null}
        <span class="hint" role="status">
          {isRunning.value ? isEdited.value ? "Changed since it ran" : "Running" : "Not running"}
        </span>
      </div>
      {state.resolverProblem.value === undefined ? null : (
        <p class="refusal" role="alert">
          {state.resolverProblem.value.line === undefined
            ? ""
            : `Line ${state.resolverProblem.value.line}: `}
          {state.resolverProblem.value.message}
        </p>
      )}
      <CodeArea
        label="Resolvers"
        value={state.resolverText.value}
        faults={state.resolverProblem.value?.line === undefined
          ? []
          : [state.resolverProblem.value.line]}
        update={(text) => state.resolverText.value = text}
        run={state.runResolvers}
      />
    </div>
  );
}, { props: ["state"], name: "ResolversPane" });

import "../../../console/jsx_children.ts";
import { defineComponent, onBeforeUnmount, onMounted, ref, type VNode, watch } from "vue";
import type { GraphiQLInput, MountedGraphiQL, MountGraphiQL } from "./graphiql/graphiql_host.ts";
import { decodeFragment } from "./link/link_codec.ts";
import type { CreateWorker } from "./mock/mock_client.ts";
import { RecordsPane } from "./panes/RecordsPane.tsx";
import { RequestsPane } from "./panes/RequestsPane.tsx";
import { ResolversPane } from "./panes/ResolversPane.tsx";
import { SchemaPane } from "./panes/SchemaPane.tsx";
import { SharePane } from "./panes/SharePane.tsx";
import { SAMPLES } from "./samples/samples.ts";
import { type Playground as State, usePlayground } from "./use_playground.ts";

interface PlaygroundProps {
  /** Starts a worker that has a mock. */
  readonly createWorker: CreateWorker;
  /** Loads GraphiQL, which is larger than all else. */
  readonly loadGraphiQL: () => Promise<MountGraphiQL>;
  /** Resolves when the page works without a network; never if it can't. */
  readonly offline: Promise<void>;
}

const TABS = [
  ["Records", RecordsPane],
  ["Requests", RequestsPane],
  ["Resolvers", ResolversPane],
  ["Share", SharePane],
] as const;

/** The whole page. */
export const Playground = defineComponent((props: PlaygroundProps) => {
  const state = usePlayground(props.createWorker);
  const tab = ref(0);
  const notice = ref("");
  const isOffline = ref(false);
  const host = ref<HTMLElement>();
  props.offline.then(() => isOffline.value = true, () => {});
  useGraphiQL(state, host, props.loadGraphiQL);

  onMounted(async () => {
    let shared;
    try {
      shared = await decodeFragment(location.hash);
    } catch (error) {
      notice.value = error instanceof Error ? error.message : String(error);
    }
    if (shared !== undefined && shared.resolvers !== "") {
      notice.value = "This link has resolvers: code by whoever made it. It has not run. Read it, " +
        "and run it if you trust it.";
      tab.value = TABS.findIndex(([name]) => name === "Resolvers");
    }
    const [sample] = SAMPLES;
    if (shared !== undefined) await state.open(shared);
    else if (sample !== undefined) await state.openSample(sample);
  });

  function onTabKey(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    tab.value = (tab.value + step + TABS.length) % TABS.length;
    document.getElementById(`tab-${tab.value}`)?.focus();
  }

  return (): VNode => {
    const [tabName, Pane] = TABS[tab.value] ?? TABS[0];
    return (
      <div class="page">
        <header>
          <h1>GraphQL mock playground</h1>
          <p class="hint">
            Paste a schema: records appear, and operations are answered, all in this page.
          </p>
          <p class="offline" role="status">{isOffline.value ? "Works offline" : ""}</p>
          <a href="../">Trestle</a>
        </header>
        {notice.value === "" ? null : (
          <div class="notice" role="alert">
            <p>{notice.value}</p>
            <button type="button" class="quiet" onClick={() => notice.value = ""}>Dismiss</button>
          </div>
        )}
        <main>
          <div class="left">
            <SchemaPane state={state} />
            <section class="tabs" aria-label="Mock">
              <div role="tablist" aria-label="Mock" onKeydown={onTabKey}>
                {TABS.map(([name], index) => (
                  <button
                    key={name}
                    type="button"
                    role="tab"
                    id={`tab-${index}`}
                    aria-selected={tab.value === index}
                    aria-controls="pane"
                    tabindex={tab.value === index ? 0 : -1}
                    onClick={() => tab.value = index}
                  >
                    {name}
                    {name === "Requests" && state.requests.value.length > 0
                      ? ` (${state.requests.value.length})`
                      : ""}
                  </button>
                ))}
              </div>
              <div role="tabpanel" id="pane" aria-labelledby={`tab-${tab.value}`} key={tabName}>
                <Pane state={state} />
              </div>
            </section>
          </div>
          <section class="graphiql" aria-label="GraphiQL">
            <div ref={host} class="host">
              <p class="hint">GraphiQL is loading …</p>
            </div>
          </section>
        </main>
      </div>
    );
  };
}, { props: ["createWorker", "loadGraphiQL", "offline"], name: "Playground" });

/** Mounts GraphiQL once there is a schema, and shows it each schema, example and theme. */
function useGraphiQL(
  state: State,
  host: { readonly value: HTMLElement | undefined },
  load: () => Promise<MountGraphiQL>,
): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = ref<"dark" | "light">(dark.matches ? "dark" : "light");
  const onTheme = () => theme.value = dark.matches ? "dark" : "light";
  dark.addEventListener("change", onTheme);
  let mounted: MountedGraphiQL | undefined;
  let latest: GraphiQLInput | undefined;

  watch([state.clientSchema, state.firstOperation, theme, () => host.value], async () => {
    const schema = state.clientSchema.value;
    const element = host.value;
    if (schema === undefined || element === undefined) return;
    latest = {
      schema,
      query: state.firstOperation.value,
      theme: theme.value,
      send: state.send,
      onEdit: (query) => state.operation.value = query,
    };
    if (mounted !== undefined) return mounted.update(latest);
    const mount = await load();
    if (mounted === undefined) {
      element.replaceChildren();
      mounted = mount(element, latest);
    }
  });
  onBeforeUnmount(() => {
    dark.removeEventListener("change", onTheme);
    mounted?.unmount();
  });
}

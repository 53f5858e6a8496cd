import { computed, defineComponent, ref } from "vue";
import { Icon } from "../components/Icon.tsx";
import { hrefOf } from "../composables/use_route.ts";
import { session } from "../composables/use_session.ts";
import { eventValue } from "../forms/event_value.ts";
import { groupOf, TOOL_GROUPS } from "../schema/tool_group.ts";
import { ToolPanel } from "./ToolPanel.tsx";

interface ToolsPageProps {
  /** The chosen tool. */
  readonly name?: string | undefined;
}

/** The tools that the caller may use, and the one that is chosen. */
export const ToolsPage = defineComponent((props: ToolsPageProps) => {
  const query = ref("");
  const found = computed(() => {
    const text = query.value.toLowerCase();
    const { value: tools } = session.tools;
    const named = tools.filter(({ name, title = "" }) =>
      `${name} ${title}`.toLowerCase().includes(text)
    );
    // A description may name other tools.
    return named.length > 0
      ? named
      : tools.filter(({ description = "" }) => description.toLowerCase().includes(text));
  });

  return () => {
    const tool = session.tools.value.find(({ name }) => name === props.name);
    return (
      <div class={["split", { "has-detail": props.name !== undefined }]}>
        <aside class="list" aria-label="Tools">
          <h1>Tools</h1>
          <input
            type="search"
            aria-label="Find a tool"
            placeholder="Find a tool"
            value={query.value}
            onInput={(event) => query.value = eventValue(event)}
          />
          {TOOL_GROUPS.map((group) => ({
            group,
            tools: found.value.filter(({ name }) => groupOf(name) === group),
          })).filter(({ tools }) => tools.length > 0).map(({ group, tools }) => (
            <section key={group} aria-label={group}>
              <h2>{group}</h2>
              <ul>
                {tools.map(({ name, title }) => (
                  <li key={name}>
                    <a
                      href={hrefOf("tools", name)}
                      aria-current={name === props.name ? "page" : undefined}
                    >
                      <span class="name">{name}</span>
                      {title !== undefined && <span class="title">{title}</span>}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {found.value.length === 0 && <p class="empty">No tool fits.</p>}
        </aside>
        <div class="detail" tabindex={-1}>
          <a class="back" href={hrefOf("tools")}>
            <Icon name="back" /> All tools
          </a>
          {tool !== undefined ? <ToolPanel key={tool.name} tool={tool} /> : (
            <p class="empty">
              {props.name === undefined
                ? "Choose a tool to call it."
                : `There is no tool "${props.name}", or you may not use it.`}
            </p>
          )}
        </div>
      </div>
    );
  };
}, { props: ["name"], name: "ToolsPage" });

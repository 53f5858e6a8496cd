import type { ToolAnnotations, ToolDefinition } from "@trestle/mcp-server";
import type { VNode } from "vue";

/** What a tool is called, and what it does. */
export function ToolHeader({ tool }: { readonly tool: ToolDefinition }): VNode {
  const { name, title, description, annotations = {} } = tool;
  return (
    <header>
      <h2>{title ?? name}</h2>
      <code class="name">{name}</code>
      {hintsOf(annotations).map((hint) => <span class="tag" key={hint}>{hint}</span>)}
      <p class="description">{description}</p>
    </header>
  );
}

function hintsOf(annotations: ToolAnnotations): readonly string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    ...(readOnlyHint === true ? ["read-only"] : []),
    ...(destructiveHint === true ? ["destructive"] : []),
    ...(idempotentHint === true ? ["idempotent"] : []),
    ...(openWorldHint === true ? ["reaches out"] : []),
  ];
}

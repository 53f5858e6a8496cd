import type { RegisteredTool, ToolDefinition } from "./tool.ts";

/** The registered tools by name; names are unique, in the order of registration. */
export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  #list: readonly ToolDefinition[] = [];

  /** Adds tools. If a name is taken, throws a `RangeError` and adds none. */
  add(tools: readonly RegisteredTool[]): void {
    for (const { definition: { name } } of tools) {
      if (this.#tools.has(name)) {
        throw new RangeError(`Cannot register the tool "${name}": the name is taken`);
      }
    }
    for (const tool of tools) this.#tools.set(tool.definition.name, tool);
    this.#list = [...this.#tools.values()].map((tool) => tool.definition);
  }

  /** One tool, or `undefined` if none has the name. */
  get(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  /** Every definition, in the order of registration. */
  list(): readonly ToolDefinition[] {
    return this.#list;
  }
}

import * as z from "zod";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import type { Answer, RegisteredTool, ToolDefinition, ToolExtra, ToolRegistrar } from "./tool.ts";
import { type ResourceConfig, type ToolResource, UriTemplate } from "./result.ts";
import { isShape, isStandardSchema, type SchemaLike, toReadySchema } from "./schema.ts";

/** A tool whose module is loaded once somebody asks for the tool. */
export interface LateTool {
  /** The name that it has once it is loaded. */
  readonly name: string;
  /** Resolves with it, each time with the same; `undefined` if it can't be used. Never rejects. */
  readonly load: () => Promise<RegisteredTool | undefined>;
}

/** The registered tools by name; names are unique, in the order of registration. */
export class ToolRegistry {
  #tools: ReadonlyMap<string, RegisteredTool | LateTool> = new Map();
  #list: Promise<readonly ToolDefinition[]> | undefined;

  /** Replaces all tools at once. If two have one name, throws a `RangeError` and changes nothing. */
  replace(tools: readonly (RegisteredTool | LateTool)[]): void {
    const named = new Map<string, RegisteredTool | LateTool>();
    for (const tool of tools) {
      const { name } = "load" in tool ? tool : tool.definition;
      if (named.has(name)) {
        throw new RangeError(`Cannot register the tool "${name}": the name is taken`);
      }
      named.set(name, tool);
    }
    this.#tools = named;
    this.#list = undefined;
  }

  /** The names of all tools, in the order of registration. */
  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** Whether a tool has the name. */
  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** One tool, which is loaded if it has to be; `undefined` if none has the name. */
  async get(name: string): Promise<RegisteredTool | undefined> {
    const tool = this.#tools.get(name);
    return tool !== undefined && "load" in tool ? await tool.load() : tool;
  }

  /** Every definition, in the order of registration; the same array until the tools are replaced. */
  list(): Promise<readonly ToolDefinition[]> {
    return this.#list ??= this.#loadAll();
  }

  /** Modules that are imported at once each read what they share, unless it is loaded. */
  async #loadAll(): Promise<readonly ToolDefinition[]> {
    const { names } = this;
    for (const name of names.slice(0, 1)) await this.get(name);
    const tools = await Promise.all(names.map((name) => this.get(name)));
    return tools.flatMap((tool) => tool?.definition ?? []);
  }
}

/** Tool names that every client accepts (MCP specification, "Tool Names"; 64 is the common cap). */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Throws a `RangeError` if clients could not call a tool by this name. */
export function ensureToolName(name: string): void {
  if (TOOL_NAME.test(name)) return;
  throw new RangeError(
    `Cannot use the tool name "${name}": it must be 1 to 64 letters, digits, "_", "." or "-"`,
  );
}

/**
 * Collects what one tool module registers, so that a module that fails half-way leaves nothing in
 * the registry. A tool has the name of its file: any other name is rejected.
 */
export class StagedRegistrar implements ToolRegistrar {
  /** What the module has registered. */
  readonly tools: RegisteredTool[] = [];
  readonly #toolName: string;
  readonly #isKnown: boolean;

  /** The schemas of a tool that is known to have usable ones are converted on first use. */
  constructor(toolName: string, { isKnown = false }: { readonly isKnown?: boolean } = {}) {
    ensureToolName(toolName);
    this.#toolName = toolName;
    this.#isKnown = isKnown;
  }

  /** Registers a tool from positional arguments; see {@linkcode ToolRegistrar}. */
  tool(name: string, ...rest: unknown[]): void {
    const run = rest.pop();
    const description = typeof rest[0] === "string" ? rest.shift() : undefined;
    const inputSchema = isShape(rest[0]) ? rest.shift() : undefined;
    const annotations = isJsonObject(rest[0]) ? rest.shift() : undefined;
    if (rest.length > 0) {
      throw new TypeError(
        `Cannot register the tool "${name}": unexpected argument ${String(rest[0])}`,
      );
    }
    this.#register(name, { description, inputSchema, annotations }, run);
  }

  /** Registers a tool from a config; see {@linkcode ToolRegistrar}. */
  registerTool(name: string, config: object, run: unknown): void {
    this.#register(name, config, run);
  }

  #register(name: string, config: object, run: unknown): void {
    if (name !== this.#toolName) {
      throw new RangeError(
        `Cannot register the tool "${name}": a tool is named after its file, "${this.#toolName}"`,
      );
    }
    if (this.tools.length > 0) {
      throw new RangeError(`Cannot register the tool "${name}": the name is taken`);
    }
    if (!isToolFunction(run)) {
      throw new TypeError(
        `Cannot register the tool "${name}": its last argument is not a function`,
      );
    }
    const isKnown = this.#isKnown;
    this.tools.push(toRegisteredTool(name, parseConfig(name, config), { run, isKnown }));
  }
}

/** A tool function as its module registers it; its arguments are checked before the call. */
type UntypedToolFunction = (...values: [ToolExtra] | [unknown, ToolExtra]) => Answer;

function isToolFunction(value: unknown): value is UntypedToolFunction {
  return typeof value === "function";
}

const Schema = z.custom<SchemaLike>((value) => isStandardSchema(value) || isShape(value), {
  error: "neither a schema nor an object of schemas",
});

const Config = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: Schema.optional(),
  outputSchema: Schema.optional(),
  annotations: z.strictObject({
    title: z.string().optional(),
    readOnlyHint: z.boolean().optional(),
    destructiveHint: z.boolean().optional(),
    idempotentHint: z.boolean().optional(),
    openWorldHint: z.boolean().optional(),
  }).optional(),
  icons: z.array(z.strictObject({
    src: z.string(),
    mimeType: z.string().optional(),
    sizes: z.array(z.string()).optional(),
  })).optional(),
  resource: z.strictObject({
    name: z.string(),
    template: z.string(),
    contents: z.custom<ResourceConfig["contents"]>((value) => typeof value === "function"),
  }).optional(),
  execution: z.strictObject({
    taskSupport: z.enum(["required", "optional", "forbidden"]).optional(),
  }).optional(),
  readsWith: z.literal("databases").optional(),
  _meta: z.custom<JsonObject>(isJsonObject).optional(),
});

function parseConfig(name: string, config: object): z.output<typeof Config> {
  const { success, data, error } = Config.safeParse(config);
  if (success) return data;
  const issue = error.issues[0];
  throw new TypeError(
    `Cannot register the tool "${name}": ${issue?.path.join(".")} is wrong, ${issue?.message}`,
  );
}

function toRegisteredTool(
  name: string,
  config: z.output<typeof Config>,
  { run, isKnown }: { readonly run: UntypedToolFunction; readonly isKnown: boolean },
): RegisteredTool {
  const { inputSchema, outputSchema, readsWith, resource, ...described } = config;
  const input = toReadySchema(inputSchema ?? {}, "input", { isKnown });
  const output = outputSchema === undefined
    ? undefined
    : toReadySchema(outputSchema, "output", { isKnown });
  return {
    definition: Object.freeze({
      name,
      ...described,
      get inputSchema() {
        return input.json;
      },
      get outputSchema() {
        return output?.json;
      },
    }),
    readOnly: described.annotations?.readOnlyHint === true || readsWith !== undefined,
    validate: input.validate,
    validateOutput: output?.validate,
    resource: resource && toResource(name, resource, described.annotations, input),
    run: (args, extra) => inputSchema === undefined ? run(extra) : run(args, extra),
  };
}

/** Reading is a call that needs the scope of tools that only read. */
function toResource(
  tool: string,
  { template, ...rest }: ResourceConfig,
  annotations: ToolDefinition["annotations"],
  input: { readonly json: JsonObject },
): ToolResource {
  if (annotations?.readOnlyHint !== true) {
    throw new TypeError(
      `Cannot register the tool "${tool}": one with a resource must have the hint readOnlyHint`,
    );
  }
  return {
    tool,
    ...rest,
    template: new UriTemplate(template),
    get inputSchema() {
      return input.json;
    },
  };
}

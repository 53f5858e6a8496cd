import type { JsonObject } from "../shared/json.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { ToolResult } from "./result.ts";
import type { OutputOf, SchemaLike, Shape } from "./schema.ts";
import type { ToolAnnotations, ToolExecution, ToolExtra } from "./tool.ts";

/** What the server passes to a tool module. */
export interface ToolContext {
  /** Registers the tool. */
  readonly mcpServer: ToolRegistrar;
  /** The tool's name: the name of the module's file, without its extension. */
  readonly toolName: string;
  /** JSON lines on stderr; secrets are redacted. */
  readonly log: Log;
  /** The server's limits, for a tool that bounds its own work. */
  readonly limits: Limits;
  /** One variable of the server's environment, or `undefined`. */
  readonly env: (name: string) => string | undefined;
  /**
   * Registers what to do when the server stops, once all calls have ended, such as closing
   * connections.
   */
  readonly onShutdown: (end: () => void | Promise<void>) => void;
}

/** The default export of a tool module: it registers one tool. */
export type ToolModule = (context: ToolContext) => void | Promise<void>;

/** What a tool function returns, synchronously or later. */
export type Answer = ToolResult | Promise<ToolResult>;

/** How a tool is described to clients. */
export interface ToolConfig<Input, Output> {
  /** Name of the tool for people. */
  readonly title?: string;
  /** What a model should know before it calls the tool. */
  readonly description?: string;
  /** Schema or shape of the arguments. */
  readonly inputSchema?: Input;
  /** Schema or shape of `structuredContent`. */
  readonly outputSchema?: Output;
  /** What the tool does to the world. */
  readonly annotations?: ToolAnnotations;
  /** Whether its calls become tasks. */
  readonly execution?: ToolExecution;
  /** Data for programs. */
  readonly _meta?: JsonObject;
}

/** The tool function of a config: it gets typed arguments if there is an input schema. */
export type ToolFunction<Input> = Input extends SchemaLike
  ? (args: OutputOf<Input>, extra: ToolExtra) => Answer
  : (extra: ToolExtra) => Answer;

/** What a tool module registers its tool with; the overloads are those of the MCP SDK. */
export interface ToolRegistrar {
  /** Registers a tool without arguments. */
  tool(name: string, run: (extra: ToolExtra) => Answer): void;
  /** Registers a described tool without arguments. */
  tool(name: string, description: string, run: (extra: ToolExtra) => Answer): void;
  /** Registers a tool with arguments. */
  tool<S extends Shape>(name: string, shape: S, run: ToolFunction<S>): void;
  /** Registers a described tool with arguments. */
  tool<S extends Shape>(name: string, description: string, shape: S, run: ToolFunction<S>): void;
  /** Registers a tool with arguments and annotations. */
  tool<S extends Shape>(
    name: string,
    shape: S,
    annotations: ToolAnnotations,
    run: ToolFunction<S>,
  ): void;
  /** Registers a described tool with arguments and annotations. */
  tool<S extends Shape>(
    name: string,
    description: string,
    shape: S,
    annotations: ToolAnnotations,
    run: ToolFunction<S>,
  ): void;
  /** Registers a tool with annotations and no arguments. */
  tool(name: string, annotations: ToolAnnotations, run: (extra: ToolExtra) => Answer): void;
  /** Registers a described tool with annotations and no arguments. */
  tool(
    name: string,
    description: string,
    annotations: ToolAnnotations,
    run: (extra: ToolExtra) => Answer,
  ): void;
  /** Registers a tool with everything that clients can know about it. */
  registerTool<
    Input extends SchemaLike | undefined = undefined,
    Output extends SchemaLike | undefined = undefined,
  >(name: string, config: ToolConfig<Input, Output>, run: ToolFunction<Input>): void;
}

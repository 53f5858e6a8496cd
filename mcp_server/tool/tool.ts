import type { Caller } from "../access/caller.ts";
import type { CallerSecrets } from "../access/caller_secrets.ts";
import type { RunAsUser } from "../access/run_as.ts";
import type { JsonObject } from "../shared/json.ts";
import type { Limits } from "../shared/limits.ts";
import type { CommandRunner, EndedCommand, OutputEvent } from "./command.ts";
import type { CallJob, JobService } from "./job_service.ts";
import type {
  CallNotification,
  ProgressUpdate,
  ResourceConfig,
  ToolResource,
  ToolResult,
} from "./result.ts";
import type { OutputOf, SchemaLike, Shape, Validation } from "./schema.ts";
import type { Log } from "../shared/log.ts";

/** What a tool does to the world (MCP specification, `ToolAnnotations`). */
export interface ToolAnnotations {
  /** Name of the tool for people. */
  title?: string;
  /** The tool changes nothing. */
  readOnlyHint?: boolean;
  /** The tool may destroy something. */
  destructiveHint?: boolean;
  /** A second call with the same arguments changes nothing more. */
  idempotentHint?: boolean;
  /** The tool may reach beyond this machine. */
  openWorldHint?: boolean;
}

/** How a tool is carried out (MCP specification, `ToolExecution`). */
export interface ToolExecution {
  /**
   * `required`: MCP clients can call it only as a task, which it is from its start. `optional`: a
   * long call of a client that knows tasks becomes one. `forbidden`: it never does. Clients of
   * 2025-11-25 can call a tool as a task if it says `optional` or `required` itself.
   * @default {"optional"}
   */
  readonly taskSupport?: "required" | "optional" | "forbidden";
}

/** A tool as clients see it; the schemas are JSON Schema 2020-12. */
export interface ToolDefinition {
  /** The name by which it is called. */
  readonly name: string;
  /** Its name for people. */
  readonly title?: string;
  /** What a model should know before it calls the tool. */
  readonly description?: string;
  /** What it does to the world. */
  readonly annotations?: ToolAnnotations;
  /** Whether its calls become tasks; see {@linkcode ToolExecution}. */
  readonly execution?: ToolExecution;
  /** Schema of its arguments. */
  readonly inputSchema: JsonObject;
  /** Schema of its structured output. */
  readonly outputSchema?: JsonObject;
  /** Pictures of it for people. */
  readonly icons?: readonly ToolIcon[];
  /** Data for programs. */
  readonly _meta?: JsonObject;
}

/** A picture of a tool (MCP specification, `Icon`). */
export interface ToolIcon {
  /** An `https:` or `data:` URL. */
  readonly src: string;
  /** Its media type. */
  readonly mimeType?: string;
  /** Such as `48x48`, or `any`. */
  readonly sizes?: readonly string[];
}

/** What a running tool knows about its call and can do for it. */
export interface ToolExtra {
  /** Aborts when the client cancels or disconnects, or the server stops. */
  readonly signal: AbortSignal;
  /** Who calls, and what it may do. */
  readonly caller: Caller;
  /** The client's id of the call; 0 if the transport has none. */
  readonly requestId: string | number;
  /** Metadata that the client sent with the call. */
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** The limits of this call: those of the server, and for a job with longer time-outs. */
  readonly limits: Limits;
  /** Runs commands within the server's limits; use `runCommand()` of the toolkit. */
  readonly commands: CommandRunner;
  /**
   * The user as whom the commands of the call run, and as whom its files must be read and written.
   * @default {the server's own user}
   */
  readonly user?: RunAsUser;
  /** What the commands of the call have as `$HOME`; `undefined` if they have none. */
  readonly home?: string | undefined;
  /** The secrets that the caller may use; what the call shows has their names in place of their values. */
  readonly secrets: CallerSecrets;
  /** Starts jobs, which outlive the call, and reaches those of the same caller. */
  readonly jobs: JobService;
  /** Makes a job of this call; absent where it can't become one. */
  readonly job?: CallJob | undefined;
  /** What the answer may take unless the call asks for more; absent if only `limits` bound it. */
  readonly answerBounds?: AnswerBounds | undefined;
  /** Reports progress to a client that requested it; does nothing for others. */
  progress(update: ProgressUpdate): void;
  /**
   * Reports a piece of output to clients that watch this call, and to the log of a job. A promise
   * resolves once there is room for more: a tool that produces much output waits for it.
   */
  output(event: OutputEvent): void | Promise<void>;
  /**
   * Asks the user of the client, and waits for the reply. Rejects with a `ToolError`: with the code
   * `CANNOT_ASK` where nobody can be asked, and with `WRONG_ANSWER` if the answer does not match the
   * schema.
   */
  readonly ask: Ask;
  /**
   * Counts a command that has ended, on this host or another, and records its exit code in the audit.
   * `runCommand()` does so itself.
   */
  commandEnded(command: EndedCommand): void;
  /** Sends a notification over the call's own stream; resolves at once if the transport has none. */
  sendNotification(notification: CallNotification): Promise<void>;
}

/** What an answer may take that a model reads. */
export interface AnswerBounds {
  /** Bytes of one text, such as the output of a command. */
  readonly textBytes: number;
  /** Characters of the whole answer as JSON text. */
  readonly characters: number;
}

/** A tool in the registry; what is available synchronously is returned without a promise. */
export interface RegisteredTool {
  readonly definition: ToolDefinition;
  /** Whether a caller has it who may only use what changes nothing. */
  readonly readOnly: boolean;
  /** Checks and types the arguments of one call. */
  validate(input: unknown): Validation | Promise<Validation>;
  /** Checks a result against the tool's output schema; absent if it has none. */
  readonly validateOutput?: (output: unknown) => Validation | Promise<Validation>;
  /**
   * Keeps what the tool's module has opened, such as connections, although the tool is replaced
   * meanwhile; absent if it has opened nothing.
   */
  readonly hold?: () => Disposable;
  /** What it reads as a resource of MCP; absent if it reads none. */
  readonly resource?: ToolResource | undefined;
  /** Runs the tool function. */
  run(args: unknown, extra: ToolExtra): ToolResult | Promise<ToolResult>;
}

/** What a running tool asks the user of its client (MCP specification, "Elicitation"). */
export interface Question<Schema extends SchemaLike> {
  /** What the user reads. */
  readonly message: string;
  /** Schema or shape of the answer: an object of texts, numbers, booleans and enums. */
  readonly schema: Schema;
}

/** The user's reply: an answer, a refusal, or a dialog that was closed without either. */
export type Reply<Content> =
  | { readonly action: "accept"; readonly content: Content }
  | { readonly action: "decline" | "cancel" };

/** A question as it goes to the client. */
export interface OpenQuestion {
  /** What the user reads. */
  readonly message: string;
  /** JSON Schema of the answer. */
  readonly schema: JsonObject;
  /** Withdraws the question, whose reply then never comes. */
  readonly signal?: AbortSignal;
  /**
   * Whether only a reply to the call with the same arguments counts; with others, the question is
   * rejected with a `ToolError` (`ARGUMENTS_CHANGED`). @default {false}
   */
  readonly needsSameArguments?: boolean;
}

/** Asks the user of the client; the content of the reply is not checked yet. */
export type AskUser = (question: OpenQuestion) => Promise<Reply<unknown>>;

/** The function of a tool that asks; it rejects with a `ToolError` if nobody can be asked. */
export type Ask = <Schema extends SchemaLike>(
  question: Question<Schema>,
) => Promise<Reply<OutputOf<Schema>>>;

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
  /** The names of all variables of the server's environment. */
  readonly envNames: readonly string[];
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
  /**
   * That the tool changes nothing for a caller who may only read databases, so that such a caller has it.
   */
  readonly readsWith?: "databases";
  /** Pictures of it for people. */
  readonly icons?: readonly ToolIcon[];
  /** What a tool that only reads offers as a resource of MCP. */
  readonly resource?: ResourceConfig;
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

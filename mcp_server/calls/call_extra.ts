import type { Caller } from "../access/caller.ts";
import type { RunAsUser } from "../access/run_as.ts";
import { untilAborted } from "../shared/deadline.ts";
import { ToolError } from "../shared/error.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import type { Limits } from "../shared/limits.ts";
import type { CommandRunner, OutputEvent } from "../tool/command.ts";
import type { JobService } from "../tool/job_service.ts";
import type { AskUser, Question, Reply, ToolExtra } from "../tool/tool.ts";
import { type OutputOf, type SchemaLike, toReadySchema } from "../tool/schema.ts";
import type { CallOptions, Transport } from "../tool/service.ts";
import type { CallNotification, ProgressUpdate } from "../tool/result.ts";
import type { RunningCall } from "./running_calls.ts";

/** What a call gets from the server when it needs it. */
export interface ExtraParts {
  /** Creates the command runner of one call; it is disposed of when the call ends. */
  readonly createRunner: (callId: string, limits: Limits) => CommandRunner & Disposable;
  /** The limits of the call. */
  readonly limits: Limits;
  /** What commands of the server's own user have as `$HOME`. */
  readonly home?: string | undefined;
  /** The jobs of a caller; the address of its client and its transport are for the audit. */
  readonly jobsOf: (caller: Caller, address?: string, transport?: Transport) => JobService;
}

/** What a running tool knows about its call; a class, because one is created for every call. */
export class CallExtra implements ToolExtra, Disposable {
  readonly requestId: string | number;
  readonly #call: Pick<RunningCall, "id" | "signal">;
  readonly #options: CallOptions;
  readonly #parts: ExtraParts;
  #user: RunAsUser | undefined;
  #runner: (CommandRunner & Disposable) | undefined;

  constructor(
    call: Pick<RunningCall, "id" | "signal">,
    options: CallOptions,
    parts: ExtraParts,
  ) {
    this.#call = call;
    this.#options = options;
    this.#parts = parts;
    this.requestId = options.requestId ?? 0;
  }

  get caller(): Caller {
    return this.#options.caller;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get commands(): CommandRunner {
    const runner = this.#runner ??= this.#parts.createRunner(this.#call.id, this.#parts.limits);
    const user = this.#user;
    const { traceparent } = this.#options;
    if (user === undefined && traceparent === undefined) return runner;
    const trace: Record<string, string> = traceparent === undefined
      ? {}
      : { TRACEPARENT: traceparent };
    return {
      run: (spec, options) => {
        const traced = { ...spec, env: { ...trace, ...spec.env } };
        return runner.run(traced, options.helper === true ? options : { ...options, user });
      },
    };
  }

  get user(): RunAsUser | undefined {
    return this.#user;
  }

  get home(): string | undefined {
    return this.#user?.home ?? this.#parts.home;
  }

  /** Lets commands run as another user; called before the tool gets to see this. */
  runAs(user: RunAsUser | undefined): void {
    this.#user = user;
  }

  get limits(): Limits {
    return this.#parts.limits;
  }

  get jobs(): JobService {
    const { caller, address, transport } = this.#options;
    return this.#parts.jobsOf(caller, address, transport);
  }

  get _meta(): Readonly<Record<string, unknown>> | undefined {
    return this.#options.meta;
  }

  progress(update: ProgressUpdate): void {
    this.#options.onProgress?.(update);
  }

  output(event: OutputEvent): void | Promise<void> {
    return this.#options.onOutput?.(event);
  }

  async ask<Schema extends SchemaLike>(
    question: Question<Schema>,
  ): Promise<Reply<OutputOf<Schema>>> {
    return await askUser(question, this.#options.ask, this.signal);
  }

  async sendNotification(notification: CallNotification): Promise<void> {
    await this.#options.onNotification?.(notification);
  }

  /** Releases the call's resources; the tool has ended. */
  [Symbol.dispose](): void {
    this.#runner?.[Symbol.dispose]();
  }
}

/**
 * Asks the user of a client and checks the answer. Rejects with a `ToolError` if nobody can be asked
 * (`CANNOT_ASK`) or if the answer does not match the schema (`WRONG_ANSWER`), and with the signal's
 * reason if the call is stopped before.
 */
async function askUser<Schema extends SchemaLike>(
  { message, schema }: Question<Schema>,
  ask: AskUser | undefined,
  signal: AbortSignal,
): Promise<Reply<OutputOf<Schema>>> {
  if (ask === undefined) {
    throw new ToolError(
      "Cannot ask the user: this way of calling has no user who could be asked; " +
        "call over MCP with a client that declares elicitation",
      { code: "CANNOT_ASK" },
    );
  }
  const ready = toReadySchema(schema, "input");
  const reply = await untilAborted(ask({ message, schema: toForm(ready.json) }), signal);
  if (reply.action !== "accept") return { action: reply.action };
  const answer = await ready.validate(reply.content);
  if (!answer.ok) {
    const issue = answer.issues[0];
    throw new ToolError(
      `Cannot use the user's answer: ${issue?.path.join(".")}: ${issue?.message}`,
      { code: "WRONG_ANSWER" },
    );
  }
  // The schema has typed the value.
  return { action: "accept", content: answer.value as OutputOf<Schema> };
}

/** What a form may be: an object of plain values. Throws a `TypeError` for any other schema. */
function toForm({ type, properties, required }: JsonObject): JsonObject {
  if (type === "object" && isJsonObject(properties) && Object.keys(properties).length > 0) {
    return { type, properties, ...(required === undefined ? {} : { required }) };
  }
  throw new TypeError("Cannot ask the user: the schema of the answer is no object with properties");
}

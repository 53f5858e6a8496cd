import type { Caller } from "../access/caller.ts";
import type { CallDispatcher } from "../calls/call_dispatcher.ts";
import { firstOf, within } from "../shared/deadline.ts";
import { ToolError } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import { JobError } from "../tool/job.ts";
import type { CallOutcome, ToolResult } from "../tool/result.ts";
import type { CallOptions, ToolService } from "../tool/service.ts";
import type { ToolResource } from "../tool/resource.ts";
import type { AskUser, ToolDefinition } from "../tool/tool.ts";
import type { JobManager } from "./job_manager.ts";
import type { PendingJob } from "./pending_job.ts";

/** The argument by which a call asks to go on as a job, and its value. */
const ON_TIMEOUT = { argument: "onTimeout", value: "job" };

/** How long a call waits for the store of jobs, which may be a database that does not answer. */
const OPEN_MS = 500;

/** How long the answer to a call that has become a job waits until the end of that is stored. */
const STORED_MS = 1_000;

/**
 * Carries out calls. One whose tool runs commands may become a job: because its time-out is over and it
 * asks to go on, or to keep the output that its answer leaves out. Until then it costs no write, and
 * where it can't become one, it is a plain call.
 */
export class KeptCalls implements ToolService {
  readonly #service: Pick<CallDispatcher, "list" | "find" | "resources" | "call">;
  readonly #manager: Pick<JobManager, "call" | "store">;

  constructor(
    service: Pick<CallDispatcher, "list" | "find" | "resources" | "call">,
    manager: Pick<JobManager, "call" | "store">,
  ) {
    this.#service = service;
    this.#manager = manager;
  }

  list(caller: Caller): readonly ToolDefinition[] {
    return this.#service.list(caller);
  }

  find(name: string, caller: Caller): ToolDefinition | undefined {
    return this.#service.find(name, caller);
  }

  resources(caller: Caller): readonly ToolResource[] {
    return this.#service.resources(caller);
  }

  async call(name: string, input: unknown, options: CallOptions): Promise<CallOutcome> {
    const { caller } = options;
    if (!mayBeKept(this.find(name, caller), input, options)) {
      return await this.#service.call(name, input, options);
    }
    const answered = Promise.withResolvers<CallOutcome>();
    const listeners = new CallListeners(options);
    const onAnswer = (result: ToolResult) => {
      listeners.release();
      answered.resolve({ ok: true, result });
    };
    let call: PendingJob;
    try {
      const isOpen = await within(this.#manager.store(), OPEN_MS);
      if (!isOpen) return await this.#service.call(name, input, options);
      const request = { tool: name, args: input };
      const wanted = { ...listeners.options, kind: "call", onAnswer } as const;
      call = await this.#manager.call(caller, request, wanted);
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      if (error.refusal !== undefined) return { ok: false, refusal: error.refusal };
      return await this.#service.call(name, input, options);
    }
    using _stopped = firstOf(options.client, () => call.stop());
    return await Promise.race([answered.promise, ended(call)]);
  }
}

/** The outcome of a call; once the end of its job is stored if it has become one. */
async function ended(call: PendingJob): Promise<CallOutcome> {
  const outcome = await call.outcome;
  if (call.isKept) await within(call.ended, STORED_MS);
  void call.forget();
  return outcome;
}

/** Whether a call may become a job, as its tool, its client or its arguments say. */
function mayBeKept(
  tool: ToolDefinition | undefined,
  input: unknown,
  { transport }: CallOptions,
): boolean {
  const { taskSupport = "forbidden" } = tool?.execution ?? {};
  if (taskSupport === "forbidden") return false;
  if (transport === "mcp-http" || transport === "mcp-stdio") return true;
  return isJsonObject(input) && input[ON_TIMEOUT.argument] === ON_TIMEOUT.value;
}

/** What hears of a call until it is answered. */
class CallListeners {
  readonly options: Omit<CallOptions, "client" | "caller" | "job">;
  #isReleased = false;

  constructor({ client: _client, caller: _caller, job: _job, ...options }: CallOptions) {
    const { onOutput, onProgress, onNotification, ask } = options;
    this.options = {
      ...options,
      onOutput: onOutput && ((event) => this.#isReleased ? undefined : onOutput(event)),
      onProgress: onProgress && ((update) => this.#isReleased ? undefined : onProgress(update)),
      onNotification: onNotification &&
        (async (notification) => this.#isReleased ? undefined : await onNotification(notification)),
      ask: ask && ((question) => this.#isReleased ? cannotAsk() : ask(question)),
    };
  }

  /** Passes nothing on any more. */
  release(): void {
    this.#isReleased = true;
  }
}

function cannotAsk(): ReturnType<AskUser> {
  const message = "Cannot ask the user: the call goes on as a job, and its client has its answer";
  return Promise.reject(new ToolError(message, { code: "CANNOT_ASK" }));
}

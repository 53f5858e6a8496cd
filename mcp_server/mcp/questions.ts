import { type ElicitRequestFormParams, isSpecType } from "@modelcontextprotocol/server";
import { JsonRpcError } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import type { AskUser, OpenQuestion, Reply } from "../tool/tool.ts";

/** A request for input as MCP sends it (MCP specification, "Multi Round-Trip Requests"). */
export interface InputRequest {
  readonly method: "elicitation/create";
  readonly params: ElicitRequestFormParams;
}

/** The questions of one call that wait for the user; keys are never used a second time. */
export class Questions {
  readonly #open = new Map<
    string,
    { request: InputRequest; reply: (value: Reply<unknown>) => void }
  >();
  #count = 0;
  #changedAt: number | undefined;
  #asked = Promise.withResolvers<void>();

  /** Whether the user has something to answer. */
  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Resolves when there is something to answer. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** When a question was last asked or answered. */
  get changedAt(): number | undefined {
    return this.#changedAt;
  }

  /** The open questions by key, as the client gets them. */
  get requests(): Record<string, InputRequest> {
    return Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
  }

  /** Asks a question; resolves with the reply. Rejects with a `TypeError` if it is no form. */
  ask({ message, schema }: OpenQuestion): Promise<Reply<unknown>> {
    const params = { mode: "form", message, requestedSchema: schema };
    if (!isSpecType.ElicitRequestFormParams(params)) return Promise.reject(noForm());
    const { promise, resolve } = Promise.withResolvers<Reply<unknown>>();
    this.#count++;
    this.#open.set(`question-${this.#count}`, {
      request: { method: "elicitation/create", params },
      reply: resolve,
    });
    this.#changedAt = Date.now();
    this.#asked.resolve();
    return promise;
  }

  /** Passes on replies; keys that are unknown or answered, and what is no reply, are ignored. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, response] of Object.entries(responses)) {
      const reply = toReply(response);
      const question = this.#open.get(key);
      if (question === undefined || reply === undefined) continue;
      this.#open.delete(key);
      this.#changedAt = Date.now();
      if (!this.areOpen) this.#asked = Promise.withResolvers();
      question.reply(reply);
    }
  }
}

function noForm(): TypeError {
  return new TypeError(
    "Cannot ask the user: the answer must be an object of texts, numbers, booleans and enums",
  );
}

function toReply(response: unknown): Reply<unknown> | undefined {
  if (!isJsonObject(response)) return undefined;
  const { action, content = {} } = response;
  if (action === "accept") return { action, content };
  return action === "decline" || action === "cancel" ? { action } : undefined;
}

const MISSING_CAPABILITY = -32_021;

/**
 * How a call asks the user of a client with these capabilities. If the client can't ask, the question
 * is refused; before 2026-07-28, as any failure.
 */
export function askOf(
  questions: Questions,
  capabilities: unknown,
  era: "legacy" | "modern",
): { readonly ask?: AskUser } {
  if (canAsk(capabilities)) return { ask: (question) => questions.ask(question) };
  return era === "legacy" ? {} : { ask: refuseToAsk };
}

function refuseToAsk(): Promise<never> {
  return Promise.reject(
    new JsonRpcError("Cannot ask the user: the client does not declare elicitation by form", {
      rpcCode: MISSING_CAPABILITY,
      code: "CANNOT_ASK",
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    }),
  );
}

/** Whether the user of a client with these capabilities can be asked by form. */
function canAsk(capabilities: unknown): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities.elicitation : undefined;
  return isJsonObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}

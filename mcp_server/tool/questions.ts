import { ToolError } from "../shared/error.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import type { OpenQuestion, Reply } from "./tool.ts";

/** A question that waits for the user's reply. */
export interface ShownQuestion {
  /** What the user reads. */
  readonly message: string;
  /** JSON Schema of the answer: an object of texts, numbers, booleans and enums. */
  readonly schema: JsonObject;
  /** When it was asked (ISO 8601). */
  readonly askedAt: string;
  /** Whether the answer approves the call, which only the user of its own MCP client may. */
  readonly approves?: true;
}

/** The questions that wait, by a key that is never used for another one. */
export type ShownQuestions = Readonly<Record<string, ShownQuestion>>;

/** A question that waits for the user. */
interface OpenRequest {
  readonly shown: ShownQuestion;
  readonly needsSameArguments: boolean;
  readonly reply: (value: Reply<unknown>) => void;
  readonly refuse: (reason: ToolError) => void;
}

/** How many questions of one call may wait at once. */
const MOST_OPEN = 32;

/** The questions of one call that wait for the user; keys are never used a second time. */
export class Questions {
  readonly #open = new Map<string, OpenRequest>();
  #count = 0;
  #asked = Promise.withResolvers<void>();
  /** Is called when a question was asked, answered or withdrawn. */
  onChange: () => void = () => {};

  /** Whether the user has something to answer. */
  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Resolves when there is something to answer. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** The open questions, the oldest first. */
  get shown(): ShownQuestions {
    return Object.fromEntries([...this.#open].map(([key, { shown }]) => [key, shown]));
  }

  /**
   * Asks a question; resolves with the reply. Rejects with a `TypeError` if it is no form, and with a
   * `ToolError` (`CANNOT_ASK`) if 32 questions wait.
   */
  ask(
    { message, schema, signal, needsSameArguments = false }: OpenQuestion,
  ): Promise<Reply<unknown>> {
    if (!isForm(schema)) return Promise.reject(noForm());
    if (this.#open.size >= MOST_OPEN) return Promise.reject(tooMany());
    const { promise, resolve: reply, reject: refuse } = Promise.withResolvers<Reply<unknown>>();
    const key = `question-${++this.#count}`;
    const askedAt = new Date().toISOString();
    const shown: ShownQuestion = {
      ...{ message, schema, askedAt },
      ...needsSameArguments ? { approves: true } : {},
    };
    this.#open.set(key, { shown, needsSameArguments, reply, refuse });
    signal?.addEventListener("abort", () => this.#close(key), { once: true });
    this.#asked.resolve();
    this.onChange();
    return promise;
  }

  /** Passes on replies; keys that are unknown or answered, and what is no reply, are ignored. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, response] of Object.entries(responses)) {
      const reply = toReply(response);
      if (reply !== undefined) this.#close(key)?.reply(reply);
    }
  }

  /** Refuses the questions that are about the arguments of the call, which are others now. */
  refuseChange(): void {
    const message = "Cannot continue the call: its arguments are not those that it began with";
    for (const [key, { needsSameArguments }] of this.#open) {
      if (!needsSameArguments) continue;
      this.#close(key)?.refuse(new ToolError(message, { code: "ARGUMENTS_CHANGED" }));
    }
  }

  /** A question that is open no longer; `undefined` if it was not. */
  #close(key: string): OpenRequest | undefined {
    const question = this.#open.get(key);
    if (question === undefined) return undefined;
    this.#open.delete(key);
    if (!this.areOpen) this.#asked = Promise.withResolvers();
    this.onChange();
    return question;
  }
}

const PLAIN: readonly unknown[] = ["string", "number", "integer", "boolean"];

/** Whether an answer is an object of plain values (MCP specification, "Elicitation"). */
function isForm({ type, properties }: JsonObject): boolean {
  return type === "object" && isJsonObject(properties) &&
    Object.values(properties).every((one) => isJsonObject(one) && isPlain(one));
}

/** A text, a number, a boolean or one of some texts, or several of these. */
function isPlain({ type, items }: JsonObject): boolean {
  if (type === "array") return isJsonObject(items) && ("enum" in items || "anyOf" in items);
  return PLAIN.includes(type);
}

function noForm(): TypeError {
  return new TypeError(
    "Cannot ask the user: the answer must be an object of texts, numbers, booleans and enums",
  );
}

function tooMany(): ToolError {
  const message = `Cannot ask the user: ${MOST_OPEN} questions of the call wait already`;
  return new ToolError(message, { code: "CANNOT_ASK" });
}

function toReply(response: unknown): Reply<unknown> | undefined {
  if (!isJsonObject(response)) return undefined;
  const { action, content = {} } = response;
  if (action === "accept") return { action, content };
  return action === "decline" || action === "cancel" ? { action } : undefined;
}

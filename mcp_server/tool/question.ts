import type { JsonObject } from "../shared/json.ts";
import type { OutputOf, SchemaLike } from "./schema.ts";

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
}

/** Asks the user of the client; the content of the reply is not checked yet. */
export type AskUser = (question: OpenQuestion) => Promise<Reply<unknown>>;

/** The function of a tool that asks; it rejects with a `ToolError` if nobody can be asked. */
export type Ask = <Schema extends SchemaLike>(
  question: Question<Schema>,
) => Promise<Reply<OutputOf<Schema>>>;

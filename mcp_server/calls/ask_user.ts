import { untilAborted } from "../shared/concurrency.ts";
import { ToolError } from "../shared/error.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { type Decision, DECISIONS, type ShownArguments } from "../tool/approval.ts";
import { type OutputOf, type SchemaLike, toReadySchema } from "../tool/schema.ts";
import type { AskUser, Question, Reply } from "../tool/tool.ts";

/**
 * Asks the user of a client and checks the answer. Rejects with a `ToolError` if nobody can be asked
 * (`CANNOT_ASK`) or if the answer does not match the schema (`WRONG_ANSWER`), and with the signal's
 * reason if the call is stopped before.
 */
export async function askUser<Schema extends SchemaLike>(
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

/** The form in which a user approves a call: that it was sent is no approval. */
const DECISION_FORM: JsonObject = {
  type: "object",
  properties: {
    decision: {
      type: "string",
      title: "Decision",
      description: "approve lets the call run; nothing of it has run yet",
      enum: [...DECISIONS],
    },
  },
  required: ["decision"],
};

/**
 * Asks the user of a client to approve a call, until the signal withdraws the question. Anything but
 * the explicit approval declines.
 */
export async function askDecision(
  { tool, shown, stdin = false, ask, signal }: {
    readonly tool: string;
    readonly shown: ShownArguments;
    readonly stdin?: boolean | undefined;
    readonly ask: AskUser;
    readonly signal: AbortSignal;
  },
): Promise<Decision> {
  const input = stdin ? "It will take any input without another question. " : "";
  const message = `Approve this call of "${tool}"? ${input}Its arguments are:\n${shown.text}`;
  const question = { message, schema: DECISION_FORM, signal, needsSameArguments: true };
  const reply = await ask(question);
  const content = reply.action === "accept" ? reply.content : undefined;
  return isJsonObject(content) && content.decision === "approve" ? "approve" : "decline";
}

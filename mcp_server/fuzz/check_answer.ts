import { deepStrictEqual, match, ok } from "node:assert/strict";
import { isJsonObject } from "../shared/json.ts";

/** A response, whichever way it was sent. */
export interface AnyAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** A place in the server's own files, which no answer repeats. */
const STACK = /\n {4}at |file:\/\/\/|\.ts:\d+:\d+/;

/**
 * Throws if the server has failed, or if a response is not what the documentation says of its media
 * type. `secret` is a text that no response may contain.
 */
export function checkAnswer({ status, type, body }: AnyAnswer, secret?: string): void {
  ok(status < 500 && status >= 100, `status ${status}: ${body}`);
  ok(!STACK.test(body), `it shows a stack: ${body}`);
  if (secret !== undefined) ok(!body.includes(secret), `it shows the secret: ${body}`);
  if (body === "") return;
  if (type.startsWith("application/problem+json")) checkProblem(status, JSON.parse(body));
  else if (type.startsWith("application/json")) JSON.parse(body);
  else if (type.startsWith("text/event-stream")) eventsOf(body);
}

function checkProblem(status: number, problem: unknown): void {
  ok(isJsonObject(problem));
  deepStrictEqual(problem.status, status);
  for (const key of ["title", "detail", "code"]) {
    ok(typeof problem[key] === "string" && problem[key] !== "", `${key} is ${problem[key]}`);
  }
  match(String(problem.code), /^[A-Z][A-Z_]+$/);
}

/** The data of the events of a stream, parsed; throws if it is not a stream of events. */
export function eventsOf(body: string): unknown[] {
  const blocks = body.split("\n\n");
  deepStrictEqual(blocks.at(-1), "", "the last event has no end");
  return blocks.slice(0, -1).flatMap((block) => {
    const lines = block.split("\n");
    for (const line of lines) match(line, /^(?:event|data|id|retry)?: ?/);
    const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
    return data.length === 0 || data.join("\n").trim() === "" ? [] : [JSON.parse(data.join("\n"))];
  });
}

/** Throws if what `/mcp` answers is not JSON-RPC 2.0. */
export function checkRpc({ type, body }: AnyAnswer): void {
  if (body === "" || type.startsWith("application/problem+json")) return;
  const messages = type.startsWith("text/event-stream")
    ? eventsOf(body)
    : [JSON.parse(body)].flat();
  for (const message of messages) {
    ok(isJsonObject(message), body);
    deepStrictEqual(message.jsonrpc, "2.0", body);
    const kinds = ["result", "error", "method"].filter((key) => key in message);
    deepStrictEqual(kinds.length, 1, body);
    if (!("error" in message)) continue;
    const { error } = message;
    ok(isJsonObject(error) && Number.isInteger(error.code), body);
    ok(typeof error.message === "string" && error.message !== "", body);
  }
}

import {
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { Transport } from "../tool/service.ts";
import {
  type MessageAnswer,
  type MessageSpan,
  type StartMessageSpan,
  traceparentOf,
} from "../tool/tracing.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";

/** What is known of the messages before they come. */
interface MessageSource {
  readonly transport: Transport;
  /** The `traceparent` header of the request that has the messages. */
  readonly traceparent?: string | undefined;
  /** The revision that the request names in its header. */
  readonly protocolVersion?: string | null;
}

/** The methods whose names are no data of the client. */
const METHODS: ReadonlySet<string> = new Set([
  ...["initialize", "ping", "server/discover", "tools/list", "tools/call", "logging/setLevel"],
  ...["tasks/get", "tasks/list", "tasks/result", "tasks/update", "tasks/cancel"],
  ...["prompts/list", "prompts/get", "resources/list", "resources/templates/list"],
  ...["resources/read", "resources/subscribe", "resources/unsubscribe", "completion/complete"],
  ...["subscriptions/listen", "notifications/initialized", "notifications/cancelled"],
  ...["notifications/progress", "notifications/roots/list_changed"],
]);
/** The name of all others, as OpenTelemetry has it for methods of HTTP. */
const OTHER = "_OTHER";

const REVISIONS: ReadonlySet<unknown> = new Set([...SUPPORTED_PROTOCOL_VERSIONS, "2026-07-28"]);

/** Messages of one request that are traced, and requests of a connection that are open. */
const MOST_MESSAGES = 100;
const MOST_OPEN = 1_000;
/** Answers that are read for their error code; longer ones are results. */
const MOST_CHARS = 64 * 1024;

/**
 * The spans of the messages of a client: one for each request from when it is read until it is
 * answered, and one for each notification. A call that reaches its tool has a span of its own.
 */
export class MessageSpans {
  readonly #start: StartMessageSpan;
  readonly #source: MessageSource;
  readonly #open = new Map<unknown, MessageSpan>();
  #protocolVersion: string | undefined;

  constructor(start: StartMessageSpan, source: MessageSource) {
    this.#start = start;
    this.#source = source;
    this.#learn(source.protocolVersion);
  }

  /** Leaves a request to the span of its call; returns the revision of MCP, if the client said it. */
  readonly handOver = (id: string | number): string | undefined => {
    this.#open.delete(id);
    return this.#protocolVersion;
  };

  /** Begins the spans of what a client has sent: a message, or a list of them. */
  received(body: unknown): void {
    const messages: unknown[] = Array.isArray(body) ? body.slice(0, MOST_MESSAGES) : [body];
    for (const message of messages) if (isJsonObject(message)) this.#receive(message);
  }

  /** Ends the span of the request that a message answers. */
  sent(message: unknown): void {
    if (!isJsonObject(message) || message.method !== undefined) return;
    const { id, result, error } = message;
    if (isJsonObject(result)) this.#learn(result.protocolVersion);
    this.#end(
      id,
      isJsonObject(error) && typeof error.code === "number" ? { code: error.code } : {},
    );
  }

  /** Ends all spans with a response of HTTP, once its body has ended. */
  over(response: Response): Response {
    const { body, status, headers } = response;
    if (body === null) {
      this.close(response.ok ? undefined : status);
      return response;
    }
    const observed = observe(body, (text) => {
      for (const message of messagesIn(text)) this.sent(message);
      this.close(response.ok ? undefined : status);
    });
    return new Response(observed, { status, headers });
  }

  /** Ends what has no answer; a status of HTTP is its error. */
  close(status?: number): void {
    for (const id of [...this.#open.keys()]) this.#end(id, { status });
  }

  #receive({ id, method, params }: JsonObject): void {
    if (typeof method !== "string") return;
    const { _meta: meta, requestId } = isJsonObject(params) ? params : {};
    const known = isJsonObject(meta) ? meta : undefined;
    this.#learn(known?.[PROTOCOL_VERSION_META_KEY]);
    const isRequest = typeof id === "string" || typeof id === "number";
    if (method === "notifications/cancelled") this.#end(requestId, {});
    if (isRequest && (this.#open.size >= MOST_OPEN || this.#open.has(id))) return;
    const span = this.#start({
      method: METHODS.has(method) ? method : OTHER,
      transport: this.#source.transport,
      traceparent: traceparentOf(known, this.#source.traceparent),
      requestId: isRequest ? id : undefined,
    });
    if (isRequest) this.#open.set(id, span);
    else span.end({ protocolVersion: this.#protocolVersion });
  }

  #end(id: unknown, error: Pick<MessageAnswer, "code" | "status">): void {
    this.#open.get(id)?.end({ protocolVersion: this.#protocolVersion, ...error });
    this.#open.delete(id);
  }

  #learn(version: unknown): void {
    if (typeof version === "string" && REVISIONS.has(version)) this.#protocolVersion = version;
  }
}

/** Passes a body on; once it has ended, or nobody reads it any more, reports its text. */
function observe(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: (text: string) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
        return onEnd(text);
      }
      if (text.length < MOST_CHARS) text += decoder.decode(value, { stream: true });
      controller.enqueue(value);
    },
    cancel(reason) {
      onEnd(text);
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/** The messages of an event stream, or of JSON; what was cut off is none. */
function messagesIn(text: string): readonly unknown[] {
  const events = text.split("\n").filter((line) => line.startsWith("data: "));
  const parts = events.length === 0 ? [text] : events.map((line) => line.slice("data: ".length));
  return parts.flatMap((part) => {
    try {
      return JSON.parse(part);
    } catch {
      return [];
    }
  });
}

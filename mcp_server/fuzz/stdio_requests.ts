import { isJsonObject, type JsonObject } from "../shared/json.ts";

/** Something that has to be answered. */
export interface SentRequest {
  /** Its id; `null` for a line that is too long to be read. */
  readonly id: string | number | null;
  /** How many were sent with this id. */
  readonly count: number;
}

const LINE_FEED = 10;

/** What a server has to answer: requests, even if their other members are wrong, and long lines. */
export function sentRequests(bytes: Uint8Array, mostLineBytes: number): SentRequest[] {
  const counts = new Map<SentRequest["id"], number>();
  const cancelled = new Set<unknown>();
  const add = (id: SentRequest["id"]) => counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const line of linesOf(bytes)) {
    if (line.length > mostLineBytes) {
      add(null);
      continue;
    }
    const message = parse(line);
    if (!isJsonObject(message) || message.jsonrpc !== "2.0") continue;
    const { id, method, params } = message;
    if (typeof method !== "string") continue;
    if (isId(id)) add(id);
    else if (isJsonObject(params)) cancelled.add(params.requestId);
  }
  return [...counts].filter(([id]) => !cancelled.has(id)).map(([id, count]) => ({ id, count }));
}

/** How many of the requests with an id are answered, if all of them are; else 0. */
export function answersTo({ id, count }: SentRequest, received: readonly JsonObject[]): number {
  const answers = received.filter((one) => one.method === undefined && one.id === id);
  const acknowledged = received.filter(({ method, params }) =>
    method === "notifications/subscriptions/acknowledged" && isJsonObject(params) &&
    isJsonObject(params._meta) && params._meta[SUBSCRIPTION_ID] === id
  );
  const found = answers.length + acknowledged.length;
  return found >= count ? found : 0;
}

const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, start);
    yield bytes.subarray(start, end < 0 ? bytes.length : end);
    start = (end < 0 ? bytes.length : end) + 1;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function parse(line: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(line));
  } catch {
    return undefined;
  }
}

/** Whether a value is an id of a request, as MCP says. */
function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

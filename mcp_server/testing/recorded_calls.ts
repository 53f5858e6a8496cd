/** A request to a server, in which `{folder}` is a folder of the test. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A response: JSON, the events of a stream, or text. */
export interface RecordedResponse {
  readonly status: number;
  readonly body: unknown;
}

/** What a server answered. */
export interface RecordedCall {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

const FOLDER = "{folder}";

/** Sends a request, and reads the response to its end. */
export async function sendRecorded(
  url: string,
  { method, path, headers = {}, body }: RecordedRequest,
  folder: string,
): Promise<RecordedResponse> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(url + path, {
    method,
    headers: { ...body === undefined ? {} : { "content-type": "application/json" }, ...headers },
    ...(body === undefined ? {} : { body: text.replaceAll(FOLDER, folder) }),
  });
  const type = response.headers.get("content-type") ?? "";
  const received = (await response.text()).replaceAll(folder, FOLDER);
  return { status: response.status, body: parseBody(type, received) };
}

function parseBody(type: string, text: string): unknown {
  if (type.startsWith("text/event-stream")) return parseEvents(text);
  return type.includes("json") ? JSON.parse(text) : text;
}

/** The events with data; an event is the text of its field, `message` by default. */
function parseEvents(text: string): object[] {
  return text.split("\n\n").flatMap((block) => {
    const data = /^data: ?(.*)$/m.exec(block)?.[1];
    const event = /^event: ?(.*)$/m.exec(block)?.[1] ?? "message";
    return data === undefined || data === "" ? [] : [{ event, data: JSON.parse(data) }];
  });
}

/** Keys whose values are words for people, or differ from call to call. */
const WORDS: ReadonlySet<string> = new Set([
  "detail",
  "message",
  "description",
  "instructions",
  "version",
  "serverInfo",
  "issues",
  "stderr",
  "text",
]);

/**
 * Lists where a response lacks something of an older one: a status, a key, or a value. Keys may have
 * been added, and words for people may have changed.
 */
export function lostSince(old: unknown, now: unknown, path = "$"): string[] {
  if (Array.isArray(old) && Array.isArray(now)) {
    const lengths = old.length === now.length ? [] : [`${path} has ${now.length} entries`];
    return [...lengths, ...old.flatMap((item, at) => lostSince(item, now[at], `${path}[${at}]`))];
  }
  if (isObject(old) && isObject(now)) {
    return Object.keys(old).flatMap((key) => {
      if (!(key in now)) return [`${path}.${key} is missing`];
      if (!WORDS.has(key)) return lostSince(old[key], now[key], `${path}.${key}`);
      return typeof old[key] === typeof now[key] ? [] : [`${path}.${key} is a ${typeof now[key]}`];
    });
  }
  return Object.is(old, now) ? [] : [`${path} is ${JSON.stringify(now)}`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

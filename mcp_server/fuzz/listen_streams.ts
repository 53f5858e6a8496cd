import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { edited, edits } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { checkAnswer, checkRpc, eventsOf } from "./check_answer.ts";
import { useFuzzServer } from "./fuzz_server.ts";
import { META, RAW } from "./rpc_messages.ts";

/** A request for a stream of changes, as text. */
interface Sent {
  readonly id: string;
  /** The notifications that the client asks for, as JSON. */
  readonly notifications: string;
  /** Changes the whole message. */
  readonly edit: ((text: string) => string) | undefined;
  /** The event after which the client asks to resume; streams of this revision can't be resumed. */
  readonly lastEventId: string;
  /** Whether the client disconnects before it reads the first event. */
  readonly leavesEarly: boolean;
}

const METHOD = "subscriptions/listen";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const FLAG = fc.constantFrom("true", "true", "false", "1", "null");
const KEY = fc.constantFrom(
  ..."toolsListChanged promptsListChanged resourcesListChanged other __proto__".split(" "),
);
const FILTER = fc.oneof(
  { weight: 2, arbitrary: fc.constant('{"toolsListChanged":true}') },
  {
    weight: 2,
    arbitrary: fc.array(fc.tuple(KEY, FLAG), { maxLength: 3 })
      .map((all) => `{${all.map(([key, flag]) => `"${key}":${flag}`)}}`),
  },
  fc.constantFrom('{"resourceSubscriptions":["a"]}', '{"taskIds":["a"]}', '{"taskIds":1}'),
  RAW,
);
const SENT: fc.Arbitrary<Sent> = fc.record({
  id: fc.constantFrom("1", '"a"', '""', "-1", "null", "1.5", "{}", '"\\u0000"'),
  notifications: FILTER,
  edit: fc.option(edits(2), { nil: undefined, freq: 4 }),
  lastEventId: fc.oneof(
    { weight: 2, arbitrary: fc.constant("") },
    fc.constantFrom("0", "1", "0-0-0", "0-0-0-end", "9".repeat(400)),
    edited(fc.constantFrom("1_2", "a")).map((text) => text.replaceAll(/[^\x21-\x7e]/g, "")),
  ),
  leavesEarly: fc.boolean(),
});

/** `subscriptions/listen`: a stream begins with what it will report, and names its request. */
export const listenStreams: Surface = defineSurface<Sent>({
  name: "mcp-listen-streams",
  share: 0.5,
  open: async () => {
    const server = await useFuzzServer();
    return {
      inputs: SENT,
      check: async ({ id, notifications, edit = asIs, lastEventId, leavesEarly }) => {
        const text = edit(
          `{"jsonrpc":"2.0","id":${id},"method":"${METHOD}",` +
            `"params":{${META},"notifications":${notifications}}}`,
        );
        const response = await server.send("/mcp", {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": METHOD,
            ...(lastEventId === "" ? {} : { "last-event-id": lastEventId }),
          },
          body: text,
        });
        const type = response.headers.get("content-type") ?? "";
        const isStream = type.startsWith("text/event-stream");
        if (isStream && leavesEarly) return await response.body?.cancel();
        const body = isStream ? await readStream(response) : await response.text();
        const answer = { status: response.status, type, body };
        checkAnswer(answer, server.secret.text);
        checkRpc(answer);
        const sent = parse(text);
        if (!isJsonObject(sent) || sent.method !== METHOD) return;
        if (isStream) checkEvents(sent, body);
        else ok(body !== "", "no answer");
      },
      end: server.faults,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
});

function asIs(text: string): string {
  return text;
}

/** Reads a stream to its end, or until it has begun to report changes, which never ends. */
async function readStream(response: Response): Promise<string> {
  let body = "";
  for await (
    const part of (response.body ?? new Blob().stream()).pipeThrough(new TextDecoderStream())
  ) {
    body += part;
    if (body.endsWith("\n\n") && eventsOf(body).some(isOpening)) return body;
  }
  return body;
}

/** Whether an event says that changes will be reported. */
function isOpening(event: unknown): boolean {
  return Object.keys(honoredIn(event) ?? {}).length > 0;
}

function honoredIn(event: unknown): object | undefined {
  if (!isJsonObject(event) || event.method !== ACKNOWLEDGED) return undefined;
  const { params } = event;
  return isJsonObject(params) && isJsonObject(params.notifications)
    ? params.notifications
    : undefined;
}

/** What the server may report: it has tools and resources. */
const HONORED = ["toolsListChanged", "resourcesListChanged"] as const;

/** Throws if a stream does not begin with the part of what was asked for that the server has. */
function checkEvents(sent: JsonObject, body: string): void {
  const { id, params } = sent;
  const [first, last, ...others] = eventsOf(body);
  const wanted = isJsonObject(params) && isJsonObject(params.notifications)
    ? params.notifications
    : {};
  const honored = Object.fromEntries(
    HONORED.filter((name) => wanted[name] === true).map((name) => [name, true]),
  );
  deepStrictEqual(honoredIn(first), honored, body);
  const meta = isJsonObject(first) && isJsonObject(first.params) ? first.params._meta : undefined;
  deepStrictEqual(meta, { "io.modelcontextprotocol/subscriptionId": id }, body);
  if (isOpening(first)) return deepStrictEqual(last, undefined, body);
  // A stream that would report nothing ends at once.
  ok(isJsonObject(last) && last.id === id && isJsonObject(last.result), body);
  deepStrictEqual(others, [], body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

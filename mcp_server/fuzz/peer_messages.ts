import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import type { Messages } from "../jobs/job_store.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { Peers } from "../servers/peers.ts";

/** A message from the store; `%id` is the id of the question that waits. */
type Message = string;

const OWN = "00000000-0000-4000-8000-000000000001";
const PEER = { id: "00000000-0000-4000-8000-000000000002", name: "web-2" };
/** As long as a question waits whose answer does not come. */
const WITHIN_MS = 5;

const ID = fc.constantFrom("%id", "%id", "other", "", "__proto__", PEER.id);
const FROM = fc.constantFrom(PEER.id, PEER.id, OWN, "other", "__proto__");
const QUESTION = fc.record({
  id: ID,
  from: FROM,
  about: fc.oneof(fc.constantFrom("calls", "stop", "decide", "fails", "__proto__"), fc.string()),
  question: fc.oneof(fc.constant({ by: { name: "a" } }), fc.jsonValue()),
  looks: fc.oneof(fc.boolean(), fc.jsonValue({ maxDepth: 0 })),
}, { requiredKeys: ["id", "from"] });
const ANSWER = fc.record({ id: ID, from: FROM, answer: fc.jsonValue() }, { requiredKeys: ["id"] });
const WRITTEN = fc.oneof(QUESTION, ANSWER).map((message) => JSON.stringify(message));
const MESSAGE: fc.Arbitrary<Message> = fc.oneof(
  { weight: 5, arbitrary: WRITTEN },
  edited(WRITTEN),
  fc.json(),
  fc.string({ unit: "binary" }),
);

/** Messages of the other servers of a fleet: each question has one answer at most, nothing else any. */
export const peerMessages: Surface = defineSurface<readonly Message[]>({
  name: "mcp-peer-messages",
  share: 0.5,
  open: () =>
    Promise.resolve({
      inputs: fc.array(MESSAGE, { maxLength: 6 }),
      check: exchange,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
});

async function exchange(messages: readonly Message[]): Promise<void> {
  let receive = (_message: string): void => {};
  let id = "";
  const sent: { readonly to: string; readonly message: JsonObject }[] = [];
  const leave = (to: readonly string[], text: string) => {
    const message: unknown = JSON.parse(text);
    ok(isJsonObject(message), text);
    if (message.looks === true && message.from === OWN) id = String(message.id);
    else sent.push(...to.map((one) => ({ to: one, message })));
    return Promise.resolve();
  };
  const store: Messages = {
    server: OWN,
    answersWithinMs: WITHIN_MS,
    peers: () => Promise.resolve([PEER]),
    post: leave,
    reply: (to, text) => leave([to], text),
    lookForMessages: () => {},
    onMessage: (listener) => {
      receive = listener;
      return { [Symbol.dispose]: () => {} };
    },
  };
  const reasons: string[] = [];
  const ignore = () => {};
  const warn = (message: string) => void reasons.push(message);
  const answer = (about: string) =>
    about === "fails" ? Promise.reject(new Error("it fails")) : Promise.resolve({ about });
  const peers = new Peers(store, answer, { debug: ignore, info: ignore, warn, error: ignore });
  const asking = peers.ask("calls", { by: { name: "own" } }, { peers: [PEER] });
  const texts = messages.map((message) => message.replaceAll("%id", id));
  for (const text of texts) receive(text);
  const { answers, silent } = await asking;
  deepStrictEqual(answers.length + silent.length, 1);
  for (const { peer } of answers) deepStrictEqual(peer, PEER);
  ok(sent.length + reasons.length <= texts.length, "more answers than messages");
  const senders = texts.map(senderOf);
  for (const { to, message } of sent) {
    deepStrictEqual(message.from, OWN);
    ok(senders.includes(to), `an answer to ${to}`);
  }
}

/** Who a message says that it is from; `undefined` if it is broken. */
function senderOf(text: string): unknown {
  try {
    return Object(JSON.parse(text)).from;
  } catch {
    return undefined;
  }
}

import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { Session } from "../peers/session.ts";

/** What a job has cost so far. */
export interface Cost {
  readonly calls: number;
  /** Characters of the calls and of their contents, as JSON. */
  readonly characters: number;
  /** Bytes of the messages that were sent, and that came. */
  readonly sent: number;
  readonly received: number;
}

/** An agent that does one job with a server, and counts what that costs. */
export class Agent {
  readonly #session: Session;
  #cost: Cost = { calls: 0, characters: 0, sent: 0, received: 0 };

  constructor(session: Session) {
    this.#session = session;
  }

  /** What it has cost so far. */
  get cost(): Cost {
    return this.#cost;
  }

  /** Calls a tool; resolves with its text. Rejects if the call fails, unless that is expected. */
  async text(name: string, args: object, { mayFail = false } = {}): Promise<string> {
    const answer = await this.#session.call({ name, arguments: { ...args } });
    const { calls, characters, sent, received } = this.#cost;
    this.#cost = {
      calls: calls + 1,
      characters: characters + answer.characters,
      sent: sent + answer.sent,
      received: received + answer.bytes,
    };
    if (!answer.isError || mayFail) return answer.text;
    throw new Error(`Cannot do the job with "${name}": it answered ${answer.text}`);
  }

  /** Calls a tool of this server, whose text is data. */
  async data(name: string, args: object): Promise<JsonObject> {
    const value: unknown = JSON.parse(await this.text(name, args));
    return isJsonObject(value) ? value : {};
  }
}

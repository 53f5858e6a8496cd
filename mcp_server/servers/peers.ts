import type { Messages, Peer } from "../jobs/job_store.ts";
import { firstOf, within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import type { Log } from "../shared/log.ts";
import { JobError } from "../tool/job.ts";

/** How many questions of this server may wait for their answers: of all callers, and for one. */
const MOST_ASKED = { all: 64, forCaller: 16 };
/** How many questions of others are answered at once; further ones are left to their time. */
const MOST_ANSWERED = 64;
/** How soon answers are looked for, and how often at most, in milliseconds. */
const LOOK_MS = { first: 10, most: 100 };
/** The longest answer, in characters; one that is longer is not sent. */
const MOST_CHARACTERS = 1024 * 1024;

/** What a server answers to a question. Rejects if it can't. */
export type Answer = (about: string, question: JsonObject) => Promise<unknown>;

/** One answer, and whose it is. */
export interface PeerAnswer {
  readonly peer: Peer;
  readonly value: unknown;
}

/** Whom to ask, and how long. */
interface AskOptions {
  /** The servers that are asked. */
  readonly peers: readonly Peer[];
  /** The name of the caller for whom they are asked. @default {none, as one caller more} */
  readonly asker?: string;
  /** How long they have, in milliseconds. @default {what a question takes if all are well} */
  readonly withinMs?: number;
  /** Whether an answer makes the others unnecessary. @default {none does} */
  readonly isEnough?: (answer: PeerAnswer) => boolean;
}

/** The answers that came in time, and the servers whose did not. */
interface PeerAnswers {
  readonly answers: readonly PeerAnswer[];
  /** Empty if one answer was enough. */
  readonly silent: readonly Peer[];
}

/** A question that waits for answers. */
interface Asked {
  readonly asker: string;
  readonly left: Map<string, Peer>;
  readonly take: (answer: PeerAnswer) => void;
}

/** Asks the other servers, and answers what they ask, by the messages of the store that they share. */
export class Peers {
  readonly #messages: Messages;
  readonly #answer: Answer;
  readonly #log: Log;
  readonly #asked = new Map<string, Asked>();
  #answering = 0;

  /** Answers as long as the messages come. */
  constructor(messages: Messages, answer: Answer, log: Log) {
    this.#messages = messages;
    this.#answer = answer;
    this.#log = log;
    messages.onMessage((message) => this.#receive(message));
  }

  /** The other servers that are alive. Rejects with a `JobError`. */
  all(): Promise<Peer[]> {
    return this.#messages.peers();
  }

  /**
   * Asks servers, and waits for their answers. Rejects with a `JobError`: `BUSY` if 64 questions wait
   * already, or 16 for the caller: one that asks again and again leaves room for the others.
   */
  async ask(
    about: string,
    question: JsonObject,
    { peers, asker = "", withinMs = this.#messages.answersWithinMs, isEnough = () => false }:
      AskOptions,
  ): Promise<PeerAnswers> {
    const answers: PeerAnswer[] = [];
    if (peers.length === 0) return { answers, silent: [] };
    this.#ensureRoom(asker);
    const id = crypto.randomUUID();
    const left = new Map(peers.map((peer) => [peer.id, peer]));
    const done = Promise.withResolvers<void>();
    let isAnswered = false;
    this.#asked.set(id, {
      asker,
      left,
      take: (answer) => {
        answers.push(answer);
        isAnswered ||= isEnough(answer);
        if (isAnswered || left.size === 0) done.resolve();
      },
    });
    try {
      using deadline = firstOf({ timeoutMs: withinMs });
      const { server: from } = this.#messages;
      const asked = { id, from, about, question, looks: true };
      await this.#messages.post([...left.keys()], JSON.stringify(asked));
      const ended = Promise.race([done.promise, deadline.expired]);
      for (let pause = LOOK_MS.first; !await within(ended, pause);) {
        this.#messages.lookForMessages();
        pause = Math.min(2 * pause, LOOK_MS.most);
      }
      return { answers, silent: isAnswered ? [] : [...left.values()] };
    } finally {
      this.#asked.delete(id);
    }
  }

  #ensureRoom(asker: string): void {
    const all = [...this.#asked.values()];
    const own = all.filter((one) => one.asker === asker).length;
    if (all.length >= MOST_ASKED.all || own >= MOST_ASKED.forCaller) {
      throw tooManyQuestions(all.length, own);
    }
  }

  #receive(message: string): void {
    const { id, from, about, question, answer, looks } = parse(message);
    if (typeof id !== "string" || typeof from !== "string") return;
    if (typeof about === "string" && isJsonObject(question)) {
      if (this.#answering < MOST_ANSWERED) void this.#reply({ id, from, about, question, looks });
      return;
    }
    const asked = this.#asked.get(id);
    const peer = asked?.left.get(from);
    if (asked === undefined || peer === undefined) return;
    asked.left.delete(from);
    asked.take({ peer, value: answer });
  }

  async #reply(
    { id, from, about, question, looks }: {
      readonly id: string;
      readonly from: string;
      readonly about: string;
      readonly question: JsonObject;
      /** Whether the server looks for the answer: one of an older version does not. */
      readonly looks: unknown;
    },
  ): Promise<void> {
    this.#answering++;
    try {
      const answer = await this.#answer(about, question);
      const message = JSON.stringify({ id, from: this.#messages.server, answer });
      if (message.length > MOST_CHARACTERS) throw new RangeError(tooLong(message.length));
      if (looks === true) await this.#messages.reply(from, message);
      else await this.#messages.post([from], message);
    } catch (error) {
      this.#log.warn("another server gets no answer", { about, reason: messageOf(error) });
    } finally {
      this.#answering--;
    }
  }
}

/** A message of a server of another version may be anything. */
function parse(message: string): JsonObject {
  try {
    const value: unknown = JSON.parse(message);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function tooLong(length: number): string {
  return `Cannot send ${length} characters: there may be ${MOST_CHARACTERS}`;
}

function tooManyQuestions(all: number, own: number): JobError {
  const message =
    `Cannot ask the other servers: ${all} questions wait for answers, ${own} of them ` +
    "for this caller; try later";
  return new JobError(message, { code: "BUSY" });
}

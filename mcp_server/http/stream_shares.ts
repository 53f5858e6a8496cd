import type { Caller } from "../access/caller.ts";
import { JobError } from "../tool/job.ts";
import type { Exchange } from "./http_connection.ts";

/**
 * Bounds the requests that keep a connection as long as their client likes, because they wait for a
 * job or stream its events: those of one caller to a quarter of all connections, those of all to three
 * quarters. So other requests, and those of other callers, find a connection.
 */
export class StreamShares {
  readonly #mostOfCaller: number;
  readonly #most: number;
  readonly #ofCaller = new Map<string, number>();
  #open = 0;

  constructor(maxConnections: number) {
    this.#mostOfCaller = Math.max(1, Math.floor(maxConnections / 4));
    this.#most = Math.max(1, Math.floor(3 * maxConnections / 4));
  }

  /**
   * Counts a request until it is disposed of, or its response is over. Throws `BUSY` if too many are
   * open.
   */
  enter({ name }: Caller, { completed }: Pick<Exchange, "completed">): Disposable {
    const ofCaller = this.#ofCaller.get(name) ?? 0;
    if (ofCaller >= this.#mostOfCaller) throw busy(`${ofCaller}`, ` of the caller "${name}"`);
    if (this.#open >= this.#most) throw busy(`${this.#open}`, "");
    this.#open++;
    this.#ofCaller.set(name, ofCaller + 1);
    let isOpen = true;
    const leave = () => {
      if (isOpen) this.#leave(name);
      isOpen = false;
    };
    completed.then(leave, leave);
    return { [Symbol.dispose]: leave };
  }

  #leave(name: string): void {
    this.#open--;
    const left = (this.#ofCaller.get(name) ?? 1) - 1;
    if (left === 0) this.#ofCaller.delete(name);
    else this.#ofCaller.set(name, left);
  }
}

function busy(open: string, whose: string): JobError {
  const state = `${open} waits and streams${whose} are open, as many as MCP_MAX_CONNECTIONS allows`;
  return new JobError(`Cannot wait: ${state}; end one, or ask again later without waiting`, {
    code: "BUSY",
  });
}

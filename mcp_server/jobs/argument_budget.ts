import { JobError } from "../tool/job.ts";
import { jsonMemory } from "../shared/json.ts";

/** The part of the budget that the jobs of one caller may take. */
const SHARE_OF_CALLER = 1 / 2;

/**
 * Bounds the memory of the arguments of jobs that wait: in all, and half of it for each caller, so
 * that the jobs of one caller leave room for those of others.
 */
export class ArgumentBudget {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  /** Takes how many bytes may wait in all. */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many bytes wait. */
  get total(): number {
    return this.#total;
  }

  /** Counts the arguments of a job until it is disposed of; throws `BUSY` if they are too many. */
  hold(caller: string, args: unknown): Disposable {
    const ofCaller = this.#held.get(caller) ?? 0;
    const most = Math.floor(this.#most * SHARE_OF_CALLER);
    const room = Math.min(this.#most - this.#total, most - ofCaller);
    const bytes = jsonMemory(args, room);
    if (bytes > room) throw this.#busy(caller, { ofCaller, most });
    this.#total += bytes;
    this.#held.set(caller, ofCaller + bytes);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(caller, bytes);
        isHeld = false;
      },
    };
  }

  #release(caller: string, bytes: number): void {
    this.#total -= bytes;
    const left = (this.#held.get(caller) ?? 0) - bytes;
    if (left === 0) this.#held.delete(caller);
    else this.#held.set(caller, left);
  }

  #busy(caller: string, { ofCaller, most }: { ofCaller: number; most: number }): JobError {
    const state = `the arguments of waiting jobs may take ${this.#most} bytes of memory, ` +
      `${most} for each caller (MCP_MAX_JOB_ARGS_BYTES); those of "${caller}" take ${ofCaller}, ` +
      `those of all ${this.#total}, and these would be too many`;
    return new JobError(
      `Cannot start the job: ${state}; pass less, or try again once jobs have started`,
      { code: "BUSY" },
    );
  }
}

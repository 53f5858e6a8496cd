import type { Transport } from "../domain/service.ts";

/** Who called what, over which transport. */
export interface AuditedCall {
  readonly transport: Transport;
  readonly tool: string;
  /** Digest prefix of the caller's token. */
  readonly caller?: string | undefined;
}

/** The longest tool name that the audit repeats; a caller may send any text as a name. */
const NAME_LENGTH = 64;

/** Names a tool in the audit, however long the name is that the caller sent. */
export function toAuditName(name: string): string {
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH)}...`;
}

/**
 * Writes one JSON line at the start of each call and one at its end: time, id, transport, tool and
 * caller; at the end also its duration and outcome. Neither contains arguments or output.
 */
export class AuditLog {
  readonly #write: (line: string) => void;
  readonly #run = crypto.randomUUID().slice(0, 8);
  #calls = 0;
  #now = 0;
  #time = "";

  /** Takes the function that writes a line, including its line end. */
  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /**
   * Records the start of a call. Call the returned function with its outcome: `ok`, or a refusal's
   * code.
   */
  start({ transport, tool, caller }: AuditedCall): (outcome: string) => void {
    const startedAt = performance.now();
    const name = JSON.stringify(toAuditName(tool));
    const by = caller === undefined ? "" : `,"caller":"${caller}"`;
    const who = `"id":"${this.#run}-${++this
      .#calls}","transport":"${transport}","tool":${name}${by}`;
    this.#write(`{"audit":"start","time":"${this.#toIso(Date.now())}",${who}}\n`);
    return (outcome) => {
      const durationMs = Math.round(performance.now() - startedAt);
      const took = `"durationMs":${durationMs},"outcome":${JSON.stringify(outcome)}`;
      this.#write(`{"audit":"end","time":"${this.#toIso(Date.now())}",${who},${took}}\n`);
    };
  }

  /** Formats the time at most once per millisecond, because a busy server needs it often. */
  #toIso(now: number): string {
    if (now !== this.#now) {
      this.#now = now;
      this.#time = new Date(now).toISOString();
    }
    return this.#time;
  }
}

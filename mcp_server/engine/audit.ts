import type { Transport } from "../domain/service.ts";
import { RefusalLimit } from "./refusal_limit.ts";

/** Who called what, over which transport. */
export interface AuditedCall {
  readonly transport: Transport;
  readonly tool: string;
  /** Name of the caller. */
  readonly caller: string;
}

/** A call whose start is recorded. */
export interface AuditedStart {
  /** Id of the call: unique, also among the calls of other starts of the server. */
  readonly id: string;
  /** When it began (ISO 8601). */
  readonly time: string;
  /** The same on the clock of `performance.now()`, which nobody sets. */
  readonly startedAt: number;
  /** Records the end of the call with its outcome: `ok`, or a refusal's code. */
  end(outcome: string): void;
}

/** Which call was stopped, by whom, and from where. */
export interface AuditedStop {
  /** Id of the call. */
  readonly call: string;
  readonly tool: string;
  /** Name of the caller that stopped it. */
  readonly caller: string;
  readonly address?: string | undefined;
}

/** Why a request or a call was rejected before it began. */
export interface AuditedRefusal {
  readonly code: string;
  readonly transport: Transport;
  /** Address of the client; absent if there is none, as over stdio. */
  readonly address?: string | undefined;
  /** Name of the caller, if it is known. */
  readonly caller?: string;
  /** Name of the tool, if it was called. */
  readonly tool?: string;
}

/** The longest tool name that the audit repeats; a caller may send any text as a name. */
const NAME_LENGTH = 64;

/** The least time between two lines about refusals of one address. */
const REFUSALS_MS = 1_000;

/** Names a tool in the audit, however long the name is that the caller sent. */
export function toAuditName(name: string): string {
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH)}...`;
}

/**
 * Writes one JSON line at the start of each call and one at its end: time, id, transport, tool and
 * caller; at the end also its duration and outcome. Neither contains arguments or output. One line if
 * somebody other than its client stops a call. Of what is rejected before it begins, at most one line
 * a second for each address.
 */
export class AuditLog {
  readonly #write: (line: string) => void;
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #refusals = new RefusalLimit(REFUSALS_MS);
  #calls = 0;
  #now = 0;
  #time = "";

  /** Takes the function that writes a line, including its line end. */
  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Records the start of a call. */
  start({ transport, tool, caller }: AuditedCall): AuditedStart {
    const startedAt = performance.now();
    const name = JSON.stringify(toAuditName(tool));
    const id = `${this.#run}-${++this.#calls}`;
    const by = JSON.stringify(caller);
    const who = `"id":"${id}","transport":"${transport}","tool":${name},"caller":${by}`;
    const time = this.#toIso(Date.now());
    this.#write(`{"audit":"start","time":"${time}",${who}}\n`);
    const end = (outcome: string) => {
      const durationMs = Math.round(performance.now() - startedAt);
      const took = `"durationMs":${durationMs},"outcome":${JSON.stringify(outcome)}`;
      this.#write(`{"audit":"end","time":"${this.#toIso(Date.now())}",${who},${took}}\n`);
    };
    return { id, time, startedAt, end };
  }

  /** Records that a call was stopped by a request of its own; `call` is the `id` of its lines. */
  stopped({ call, tool, caller, address }: AuditedStop): void {
    const time = this.#toIso(Date.now());
    const name = toAuditName(tool);
    const line = { audit: "stop", time, call, transport: "http", tool: name, caller, address };
    this.#write(`${JSON.stringify(line)}\n`);
  }

  /** Records a request or a call that was rejected before it began; `more` counts those without. */
  refused({ code, transport, address, caller, tool }: AuditedRefusal): void {
    const more = this.#refusals.take(address ?? `caller ${caller}`, performance.now());
    if (more === undefined) return;
    const line = {
      audit: "refused",
      time: this.#toIso(Date.now()),
      code,
      transport,
      address,
      tool: tool === undefined ? undefined : toAuditName(tool),
      caller,
      ...(more === 0 ? {} : { more }),
    };
    this.#write(`${JSON.stringify(line)}\n`);
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

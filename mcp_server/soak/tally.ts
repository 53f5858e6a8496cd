/** How often something happened, by name. */
export type Counts = Record<string, number>;

/** The calls over one transport. */
export interface TransportCounts {
  calls: number;
  answered: number;
  refused: number;
  cancelled: number;
}

/** Which server a call goes to: each kind writes an audit of its own. */
export type ServerKind = "http" | "stdio" | "fleet";

/** Where a call is counted. */
export interface CallSite {
  /** A row of the table. */
  readonly transport: string;
  readonly server: ServerKind;
}

/** How many calls a server must have dispatched, and how many it may have in addition. */
export interface Dispatched {
  sure: number;
  maybe: number;
}

/** How many texts of what is wrong are kept; all are counted. */
const MOST_TEXTS = 1_000;

/** Counts what becomes of calls. */
export class Tally {
  readonly transports = new Map<string, TransportCounts>();
  /** Refusals that were expected, by code. */
  readonly refusals: Counts = {};
  /** What else was done, such as reloads and hang-ups. */
  readonly events: Counts = {};
  readonly wrong: string[] = [];
  wrongCount = 0;
  readonly dispatched: Readonly<Record<ServerKind, Dispatched>> = {
    http: { sure: 0, maybe: 0 },
    stdio: { sure: 0, maybe: 0 },
    fleet: { sure: 0, maybe: 0 },
  };
  readonly #onWrong: (what: string) => void;

  constructor(onWrong: (what: string) => void = () => {}) {
    this.#onWrong = onWrong;
  }

  /** Counts a call that had the answer that it should have. */
  answered(site: CallSite): void {
    this.#count(site, "answered");
    this.dispatched[site.server].sure++;
  }

  /** Counts a call that was refused as it should be, also before it was dispatched. */
  refused(site: CallSite, code: string, wasDispatched: boolean): void {
    this.#count(site, "refused");
    this.rejected(code);
    if (wasDispatched) this.dispatched[site.server].sure++;
  }

  /** Counts a call that its client gave up; it may have been dispatched. */
  cancelled(site: CallSite): void {
    this.#count(site, "cancelled");
    this.dispatched[site.server].maybe++;
  }

  /** Counts a request that was rejected as it should be, and is no call. */
  rejected(code: string): void {
    this.refusals[code] = (this.refusals[code] ?? 0) + 1;
  }

  /** All calls so far. */
  get calls(): number {
    return [...this.transports.values()].reduce((sum, { calls }) => sum + calls, 0);
  }

  /** Counts what is no call. */
  event(name: string): void {
    this.events[name] = (this.events[name] ?? 0) + 1;
  }

  /** Counts a scenario that could not continue, as in a flood; one of its calls may be lost. */
  interrupted(name: string): void {
    this.event(name);
    this.dispatched.http.maybe++;
    this.dispatched.stdio.maybe++;
    this.dispatched.fleet.maybe++;
  }

  /** Records what should not be. A call that had a wrong answer may have been dispatched. */
  isWrong(what: string, site?: CallSite): void {
    this.wrongCount++;
    this.#onWrong(what);
    if (this.wrong.length < MOST_TEXTS) this.wrong.push(what);
    if (site !== undefined) {
      this.#of(site).calls++;
      this.dispatched[site.server].maybe++;
    }
  }

  #count(site: CallSite, outcome: "answered" | "refused" | "cancelled"): void {
    const counts = this.#of(site);
    counts.calls++;
    counts[outcome]++;
  }

  #of({ transport }: CallSite): TransportCounts {
    const found = this.transports.get(transport);
    if (found !== undefined) return found;
    const created = { calls: 0, answered: 0, refused: 0, cancelled: 0 };
    this.transports.set(transport, created);
    return created;
  }
}

import { firstOf, MAX_MS } from "../shared/deadline.ts";
import type { PlannedFailure } from "../execution/operation_log.ts";

/** What is delayed or fails: operations of the mock, or REST requests. */
export type FaultKind = "graphql" | "rest";

/** How a request fails. */
export type FaultFailure = Extract<PlannedFailure, number | string | Error>;

/** Something that goes wrong with the next request, or with every one. */
export interface Fault {
  readonly id: number;
  readonly kind: FaultKind;
  /** Name of the operation, or `METHOD /path`; `*` is any. */
  readonly name: string;
  /** Whether it applies to every request; else it applies to the next one. */
  readonly isEvery: boolean;
  /** Milliseconds to wait. */
  readonly delay?: number;
  /** How it fails. */
  readonly failure?: FaultFailure;
}

/** How many faults there may be. */
const MAX_FAULTS = 50;

/** The faults of a mock, in the order in which they were added. */
export class Faults {
  /** Called after each change. */
  onChange: () => void = () => {};
  #faults: readonly Fault[] = [];
  #lastId = 0;

  /** All of them. */
  get all(): readonly Fault[] {
    return this.#faults;
  }

  /**
   * Adds a fault.
   *
   * @throws {RangeError} If there are too many, or a value is out of its range.
   */
  add(fault: Omit<Fault, "id">): void {
    if (this.#faults.length >= MAX_FAULTS) {
      throw new RangeError(`Cannot add a fault: there are ${MAX_FAULTS}`);
    }
    const { delay = 0, failure } = fault;
    if (!(delay >= 0 && delay <= MAX_MS)) {
      throw new RangeError(`Cannot delay by "${delay}": it must be 0 to ${MAX_MS} milliseconds`);
    }
    const isStatus = typeof failure !== "number" || failure >= 400 && failure <= 599;
    if (!isStatus) {
      throw new RangeError(`Cannot fail with status "${failure}": it must be 400 to 599`);
    }
    this.#set([...this.#faults, { ...fault, id: ++this.#lastId }]);
  }

  /** Removes a fault; all of them without an argument. */
  remove(id?: number): void {
    this.#set(id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id));
  }

  /**
   * Waits as long as the delay of a request says; `undefined` if it has none. Rejects if its signal
   * aborts.
   */
  wait(
    kind: FaultKind,
    name: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> | undefined {
    const fault = this.#take(kind, name, ({ delay }) => delay !== undefined);
    return fault?.delay ? firstOf({ signal, timeoutMs: fault.delay }).passed : undefined;
  }

  /** How a request fails; `undefined` if it doesn't. */
  failureOf(kind: FaultKind, name: string | undefined): FaultFailure | undefined {
    return this.#take(kind, name, ({ failure }) => failure !== undefined)?.failure;
  }

  /** The oldest fault for a request; one for the next request is removed. */
  #take(
    kind: FaultKind,
    name: string | undefined,
    fits: (fault: Fault) => boolean,
  ): Fault | undefined {
    const found = this.#faults.find((fault) =>
      fault.kind === kind && (fault.name === "*" || fault.name === name) && fits(fault)
    );
    if (found !== undefined && !found.isEvery) this.remove(found.id);
    return found;
  }

  #set(faults: readonly Fault[]): void {
    this.#faults = faults;
    this.onChange();
  }
}

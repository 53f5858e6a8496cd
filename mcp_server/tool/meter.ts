import type { Transport } from "./service.ts";

/** How a request for the operator's figures is answered. */
export interface MetricsText {
  /** Media type with the version of the format. */
  readonly contentType: string;
  /** The metrics, one line for each value. */
  readonly text: string;
}

/** Counts what the server does; it never fails, and costs a few microseconds. */
export interface Meter {
  /** A call has ended: `ok`, or the kind of its refusal. */
  called(call: EndedCall): void;
  /** A request was rejected before it became a call. */
  refused(reason: string): void;
  /** A command was stopped, and so many of its processes are left. */
  stopped(survivors: number): void;
  /** Tools were loaded again. */
  reloaded(outcome: "loaded" | "kept", count: number): void;
  /** Everything that was counted, in the text format of Prometheus. */
  render(): Promise<MetricsText>;
}

/** A call, as it is counted. */
export interface EndedCall {
  /** Name of a registered tool; another name is counted as `unknown`. */
  readonly tool: string | undefined;
  /** The way by which it came in. */
  readonly transport: Transport;
  /** `ok`, or the kind of its refusal. */
  readonly outcome: string;
  /** How long it took. */
  readonly seconds: number;
}

import type { Caller } from "../domain/caller.ts";
import type { Transport } from "../domain/service.ts";
import type { Backlog } from "./paced_body.ts";

/** How the calls of one connection or one request arrive. */
export interface McpCaller {
  readonly transport: Transport;
  /** `modern`: revision 2026-07-28. */
  readonly era: "legacy" | "modern";
  readonly caller: Caller;
  /** Address of the client; absent over stdio. */
  readonly address?: string;
  /** The `traceparent` header of its request. */
  readonly traceparent?: string;
  /** Lets a call be stopped from outside its own connection; see `LegacyCalls`. */
  readonly track?: (requestId: string | number, signal: AbortSignal) => TrackedCall;
  /** What the client has not read yet; while it is full, notifications are dropped. */
  readonly backlog: Backlog;
  /** Whether the call is the whole request, so that the response ends with it. @default {false} */
  readonly single?: boolean;
}

/** A call that may be stopped in more than one way. */
export interface TrackedCall extends Disposable {
  readonly signal: AbortSignal;
}

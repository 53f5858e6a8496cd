import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { CallSite } from "../tally.ts";

/** How one call is sent. */
export interface WayOptions {
  readonly signal: AbortSignal;
  /** Name of the caller; over stdio it is always `default`. */
  readonly caller: string;
}

/** A way to call a server: a client over a transport. */
export interface Way extends AsyncDisposable, CallSite {
  /** Calls a tool; resolves with its output, and rejects with a `CallRefused` if there is none. */
  call(tool: string, args: object, options: WayOptions): Promise<JsonObject>;
  /** Reconnects, whatever is running; absent if each call has its own connection. */
  reconnect?(): Promise<void>;
  /** How often `reconnect()` has closed the connection, which ends the running calls. */
  readonly closed: number;
}

/** A call that the server refused. */
export class CallRefused extends Error {
  override name = "CallRefused";

  constructor(message: string, readonly code?: string) {
    super(message);
  }
}

/** Checks that an output is an object. */
export function toOutput(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TypeError(`Cannot use the output: it is not an object, ${JSON.stringify(value)}`);
}

import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Caller } from "../access/caller.ts";
import { firstOf } from "../shared/concurrency.ts";
import type { CallOptions, Transport } from "../tool/service.ts";
import { type CallOutcome, withoutLinks } from "../tool/result.ts";
import type { Backlog } from "../http/body.ts";
import type { HeldCall } from "./held_call.ts";

/** How the calls of one connection or one request arrive. */
export interface McpCaller {
  readonly transport: Transport;
  /** `modern`: revision 2026-07-28. */
  readonly era: "legacy" | "modern";
  readonly caller: Caller;
  /** Address of the client; absent over stdio. */
  readonly address?: string;
  /** Aborts once its rights have changed or it has none; absent if they can't. */
  readonly revoked?: AbortSignal;
  /** The revision that the client names, over HTTP; see `withKnownBlocks()`. */
  readonly version?: string | null;
  /** The `traceparent` header of its request. */
  readonly traceparent?: string;
  /** Where messages are traced, hears which request is a call; see `MessageSpans`. */
  readonly handOver?: ((requestId: string | number) => string | undefined) | undefined;
  /** Lets a call be stopped from outside its own connection; see `LegacyCalls`. */
  readonly track?: (requestId: string | number, call: StoppableCall) => Disposable;
  /** What the client has not read yet; while it is full, notifications are dropped. */
  readonly backlog: Backlog;
  /** Whether the call is the whole request, so that the response ends with it. @default {false} */
  readonly single?: boolean;
  /** The call of the request, if it has begun already; see `FastPath`. */
  readonly begun?: HeldCall | undefined;
}

/** What every call of an MCP client has in common. */
export function toCallOptions(
  { transport, caller, address, traceparent, handOver }: Omit<
    McpCaller,
    "backlog" | "era"
  >,
  { id, _meta: meta }: {
    readonly id: string | number;
    readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  },
): Omit<CallOptions, "client"> {
  const protocolVersion = handOver?.(id);
  return {
    transport,
    // A call continues with the rights with which it has begun.
    caller: { ...caller },
    requestId: id,
    address,
    traceparent,
    protocolVersion,
    meta: meta && { ...meta },
  };
}

/**
 * The outcome of a call as MCP answers it: a result, also of a tool that failed. Throws the JSON-RPC
 * error of a request that was wrong, or whose outcome nobody knows.
 */
export function toMcpResult(
  known: CallOutcome,
  version?: string | null,
): CallToolResult {
  const outcome = withKnownBlocks(known, version);
  if (outcome.ok) return { ...outcome.result };
  const { refusal, result } = outcome;
  if (result !== undefined) return { ...result };
  const { kind, message, rpcError } = refusal;
  if (rpcError !== undefined) throw new ProtocolError(rpcError.code, message, rpcError.data);
  if (kind === "UNKNOWN_TOOL") throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  if (kind === "JOB_LOST") throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  return { content: [{ type: "text", text: message }], isError: true };
}

/** The first revision with links to resources in results, and with a header that names it. */
const WITH_LINKS = "2025-06-18";

/**
 * An outcome as a client of a revision gets it: those of older ones reject a result with links. The
 * revision is `null` if the client does not say it, which the older ones don't.
 * @default {a revision with links}
 */
export function withKnownBlocks(
  outcome: CallOutcome,
  version: string | null = WITH_LINKS,
): CallOutcome {
  const knowsLinks = version !== null && version >= WITH_LINKS;
  if (knowsLinks || outcome.result === undefined) return outcome;
  return { ...outcome, result: withoutLinks(outcome.result) };
}

/**
 * The client of one call: its signal aborts when the request does, or when the call is stopped. The
 * signal is created only on first use, because most calls end before.
 */
export class CallClient {
  #request: { readonly signal: AbortSignal } | undefined;
  #following: Disposable | undefined;
  #controller: AbortController | undefined;
  #isStopped = false;

  constructor(request: { readonly signal: AbortSignal }) {
    this.#request = request;
  }

  /** Aborts when the client disconnects or cancels the call. */
  get signal(): AbortSignal {
    return (this.#controller ?? this.#listen()).signal;
  }

  /** Whether {@linkcode stop} was called. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Stops the call, although its request goes on. */
  stop(reason?: unknown): void {
    this.#isStopped = true;
    (this.#controller ?? this.#listen()).abort(reason);
  }

  /**
   * Leaves the request, which may end before the call; from now on only {@linkcode stop} stops it. If
   * the client has disconnected by now, the call is stopped.
   */
  release(): void {
    if (this.#request?.signal.aborted === true) this.#controller ??= this.#listen();
    this.#request = undefined;
    this.#following?.[Symbol.dispose]();
  }

  #listen(): AbortController {
    const controller = this.#controller = new AbortController();
    const signal = this.#request?.signal;
    this.#following = firstOf({ signal }, () => controller.abort(signal?.reason));
    return controller;
  }
}

/** Ids that a JSON-RPC request may have; 1 and "1" are two. */
type RequestId = string | number;

/** A call that can be stopped. */
export interface StoppableCall {
  stop(reason: unknown): void;
}

/** A session of a client. */
export interface LegacySession {
  /** Name of its caller. */
  readonly caller: string;
  /** What the client sends as its id. */
  readonly id: string;
}

/**
 * The running calls of clients that use a revision before 2026-07-28. Such a client cancels a call
 * with a separate request, which finds it by caller, session and request id. Only the running calls
 * of a session are kept, so an unknown or old session id does no harm. Clients may choose the id of
 * their session themselves; therefore it is one of its caller.
 */
export class LegacyCalls {
  readonly #running = new Map<string, StoppableCall>();

  /** How many calls are running. */
  get size(): number {
    return this.#running.size;
  }

  /** Lets {@linkcode cancel} stop a call until it is disposed of. */
  track(session: LegacySession, requestId: RequestId, call: StoppableCall): Disposable {
    const key = keyOf(session, requestId);
    this.#running.set(key, call);
    return {
      [Symbol.dispose]: () => {
        if (this.#running.get(key) === call) this.#running.delete(key);
      },
    };
  }

  /** Stops a call; does nothing if there is none with these ids. */
  cancel(session: LegacySession, requestId: RequestId, reason: string): void {
    this.#running.get(keyOf(session, requestId))?.stop(new DOMException(reason, "AbortError"));
  }
}

function keyOf({ caller, id }: LegacySession, requestId: RequestId): string {
  return JSON.stringify([caller, id, requestId]);
}

import { createSocketClass, type SocketClass } from "./socket_class.ts";

/** Answers sockets instead of the network. */
export interface SocketHandler {
  /** Creates the socket of a call; `undefined` if the handler is not for its address. */
  connect(args: readonly unknown[], newTarget: NewableFunction): object | undefined;
}

/** The active handlers, the latest last; they can be removed in any order. */
let handlers: readonly SocketHandler[] = [];
/** Restores the replaced class; set while there are handlers. */
let close: (() => void) | undefined;

/** Adds a handler of `globalThis.WebSocket`, which takes precedence over earlier ones. */
export function enterSocketGate(handler: SocketHandler): void {
  handlers = [...handlers, handler];
  close ??= replaceWebSocket();
}

/** Removes a handler; the last one to be removed restores `globalThis.WebSocket`. */
export function leaveSocketGate(handler: SocketHandler): void {
  handlers = handlers.filter((one) => one !== handler);
  if (handlers.length > 0) return;
  close?.();
  close = undefined;
}

/**
 * If other code has replaced the class in the meantime, that one is kept; without handlers, ours
 * constructs what the platform's does. Node has none before version 22.
 */
function replaceWebSocket(): () => void {
  const real: SocketClass | undefined = Reflect.get(globalThis, "WebSocket");
  const replacement = createSocketClass(real, (args, newTarget) => {
    for (const handler of handlers.toReversed()) {
      const socket = handler.connect(args, newTarget);
      if (socket !== undefined) return socket;
    }
    if (real !== undefined) {
      return Reflect.construct(real, args, newTarget === replacement ? real : newTarget);
    }
    throw new Error(`Cannot open "${args[0]}": this platform has no WebSocket`);
  });
  globalThis.WebSocket = replacement;
  return () => {
    if (globalThis.WebSocket !== replacement) return;
    if (real === undefined) Reflect.deleteProperty(globalThis, "WebSocket");
    else globalThis.WebSocket = real;
  };
}

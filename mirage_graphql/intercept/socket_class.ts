import { MockSocket } from "./mock_socket.ts";

/** A class of WebSockets. */
type SocketClass = typeof WebSocket;

/**
 * Creates the class that replaces that of the platform, whose objects are instances of it as
 * well: sockets of either kind have the members of their kind, also in a class that extends it.
 */
function createSocketClass(
  real: SocketClass | undefined,
  construct: (args: readonly unknown[], newTarget: NewableFunction) => object,
): SocketClass {
  const replacement = class WebSocket {
    constructor(...args: unknown[]) {
      return construct(args, new.target);
    }

    static [Symbol.hasInstance](value: unknown): boolean {
      const prototype = this === replacement && real !== undefined
        ? real.prototype
        : this.prototype;
      return typeof value === "object" && value !== null &&
        Object.prototype.isPrototypeOf.call(prototype, value);
    }
  };
  Object.setPrototypeOf(replacement, real ?? EventTarget);
  Object.setPrototypeOf(replacement.prototype, real?.prototype ?? EventTarget.prototype);
  if (real === undefined) addStates(replacement);
  addMembers(replacement.prototype, real?.prototype ?? {});
  return replacement as unknown as SocketClass;
}

const STATES = ["CONNECTING", "OPEN", "CLOSING", "CLOSED"];

function addStates(target: NewableFunction): void {
  STATES.forEach((state, value) => {
    Object.defineProperty(target, state, { value, enumerable: true });
    Object.defineProperty(target.prototype, state, { value, enumerable: true });
  });
}

/** Adds the members of both kinds under one name, which choose by the socket. */
function addMembers(target: object, real: object): void {
  const own = Object.getOwnPropertyDescriptors(MockSocket.prototype);
  for (const [name, member] of Object.entries(own)) {
    if (name === "constructor") continue;
    const others = Object.getOwnPropertyDescriptor(real, name);
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: true,
      ...("value" in member
        ? { writable: true, value: choose(member.value, others?.value) }
        : { get: choose(member.get, others?.get), set: choose(member.set, others?.set) }),
    });
  }
}

type Member = (this: object, ...args: unknown[]) => unknown;

function choose(own: unknown, others: unknown): Member | undefined {
  if (typeof own !== "function") return undefined;
  return function (...args) {
    const member = MockSocket.isMock(this) ? own : others;
    if (typeof member === "function") return Reflect.apply(member, this, args);
    throw new TypeError("Cannot use a member of WebSocket: this is not a WebSocket");
  };
}

/** Answers sockets instead of the network. */
interface SocketHandler {
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

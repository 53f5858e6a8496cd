import { type Handshake, OPEN, type ServerSocket } from "../streams/connection.ts";
import { negotiateProtocol, type ServedSocket } from "../streams/socket_service.ts";

const CONNECTING = 0;
const CLOSING = 2;
const CLOSED = 3;

/** What a socket in this process is connected to. */
export interface SocketLink {
  /** Opens the server's end. */
  open(socket: ServerSocket, handshake: Handshake): ServedSocket;
  /** Functions that abort the connections that are still opening. */
  readonly opening: Set<() => void>;
}

/** The arguments of a socket, which are valid. */
export interface SocketAddress {
  readonly url: URL;
  readonly protocols: readonly string[];
  readonly request: Handshake["request"];
}

/** Saved before a test can replace it with a fake clock. */
const { setTimeout, clearTimeout } = globalThis;

/**
 * A client's WebSocket that is answered in this process (WebSockets standard, "The WebSocket
 * interface"). It opens in a later task; from then on events arrive in microtasks, in their order.
 */
export class MockSocket extends EventTarget {
  readonly #address: SocketAddress;
  readonly #link: SocketLink;
  readonly #handlers = new EventHandlers(this);
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #breakOff = (): void => this.#fail();
  #served: ServedSocket | undefined;
  #readyState = CONNECTING;
  #protocol = "";
  #binaryType: BinaryType = "blob";
  #bufferedAmount = 0;

  /** Starts to connect. */
  constructor(address: SocketAddress, link: SocketLink) {
    super();
    this.#address = address;
    this.#link = link;
    this.#timer = setTimeout(() => this.#open());
    link.opening.add(this.#breakOff);
  }

  /** Whether a value is one of these sockets. */
  static isMock(value: object): boolean {
    return #served in value;
  }

  get url(): string {
    return this.#address.url.href;
  }
  get readyState(): number {
    return this.#readyState;
  }
  get protocol(): string {
    return this.#protocol;
  }
  get extensions(): string {
    return "";
  }
  get bufferedAmount(): number {
    return this.#bufferedAmount;
  }
  get binaryType(): BinaryType {
    return this.#binaryType;
  }
  set binaryType(type: BinaryType) {
    if (type === "blob" || type === "arraybuffer") this.#binaryType = type;
  }
  get onopen(): SocketEventHandler {
    return this.#handlers.get("open");
  }
  set onopen(handler: SocketEventHandler) {
    this.#handlers.set("open", handler);
  }
  get onmessage(): SocketEventHandler {
    return this.#handlers.get("message");
  }
  set onmessage(handler: SocketEventHandler) {
    this.#handlers.set("message", handler);
  }
  get onerror(): SocketEventHandler {
    return this.#handlers.get("error");
  }
  set onerror(handler: SocketEventHandler) {
    this.#handlers.set("error", handler);
  }
  get onclose(): SocketEventHandler {
    return this.#handlers.get("close");
  }
  set onclose(handler: SocketEventHandler) {
    this.#handlers.set("close", handler);
  }

  /** Sends data; the server's end rejects anything but text. */
  send(data: unknown): void {
    if (this.#readyState === CONNECTING) {
      throw new DOMException("Cannot send: the socket is still opening", "InvalidStateError");
    }
    const sent = sizeOf(data);
    this.#bufferedAmount += sent.size;
    if (this.#readyState !== OPEN) return;
    queueMicrotask(() => {
      this.#bufferedAmount -= sent.size;
      this.#served?.receive(sent.data);
    });
  }

  /** Closes the connection after what was sent has been received. */
  close(code?: number, reason?: string): void {
    const closing = checkClose(code, reason);
    if (this.#readyState >= CLOSING) return;
    const isOpening = this.#readyState === CONNECTING;
    this.#readyState = CLOSING;
    queueMicrotask(() => isOpening ? this.#fail() : this.#finish({ ...closing, wasClean: true }));
  }

  #open(): void {
    this.#link.opening.delete(this.#breakOff);
    const { protocols, request } = this.#address;
    const protocol = negotiateProtocol(protocols);
    // a client that offers subprotocols fails if the server selects none of them
    if (protocols.length > 0 && protocol === undefined) return this.#fail();
    this.#readyState = OPEN;
    this.#protocol = protocol ?? "";
    this.#served = this.#link.open(this.#serverEnd(), { protocol: this.#protocol, request });
    this.dispatchEvent(new Event("open"));
  }

  #serverEnd(): ServerSocket {
    let isClosed = false;
    const readyState = () => isClosed ? CLOSED : this.#readyState;
    return {
      get readyState() {
        return readyState();
      },
      bufferedAmount: 0,
      send: (data) => queueMicrotask(() => this.#receive(data)),
      terminate: () => {
        isClosed = true;
        queueMicrotask(() => this.#fail());
      },
      close: (code = 1005, reason = "") => {
        isClosed = true;
        queueMicrotask(() => this.#finish({ code, reason, wasClean: true }));
      },
    };
  }

  #receive(data: string): void {
    if (this.#readyState !== OPEN) return;
    this.dispatchEvent(new MessageEvent("message", { data, origin: this.#address.url.origin }));
  }

  #fail(): void {
    if (this.#readyState === CLOSED) return;
    this.#readyState = CLOSED;
    this.dispatchEvent(new Event("error"));
    this.#end({ code: 1006, reason: "", wasClean: false });
  }

  #finish(closing: CloseEventInit): void {
    if (this.#readyState === CLOSED) return;
    this.#readyState = CLOSED;
    this.#end(closing);
  }

  #end(closing: CloseEventInit): void {
    clearTimeout(this.#timer);
    this.#link.opening.delete(this.#breakOff);
    this.#served?.end();
    this.#served = undefined;
    // Node 20 has no CloseEvent
    this.dispatchEvent(
      "CloseEvent" in globalThis
        ? new CloseEvent("close", closing)
        : Object.assign(new Event("close"), closing),
    );
  }
}

/** The value of an attribute such as `onmessage`. */
type SocketEventHandler = ((event: Event) => unknown) | null;

/**
 * The event handlers of a target: attributes such as `onmessage`, which are called in the order in
 * which they and other listeners were added (HTML standard, "Event handlers").
 */
class EventHandlers {
  readonly #target: EventTarget;
  readonly #handlers = new Map<string, (event: Event) => unknown>();
  readonly #listen = (event: Event): void => {
    this.#handlers.get(event.type)?.call(this.#target, event);
  };

  /** Starts without handlers. */
  constructor(target: EventTarget) {
    this.#target = target;
  }

  /** The handler of a type of events. */
  get(type: string): SocketEventHandler {
    return this.#handlers.get(type) ?? null;
  }

  /** Sets or removes a handler; a value that is not a function removes it. */
  set(type: string, handler: SocketEventHandler): void {
    if (typeof handler !== "function") {
      this.#handlers.delete(type);
      this.#target.removeEventListener(type, this.#listen);
      return;
    }
    this.#handlers.set(type, handler);
    this.#target.addEventListener(type, this.#listen);
  }
}

/** Measures what is sent; values of other types are sent as text. */
function sizeOf(data: unknown): { readonly data: unknown; readonly size: number } {
  if (data instanceof Blob) return { data, size: data.size };
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) {
    return { data, size: data.byteLength };
  }
  const text = String(data);
  return { data: text, size: new TextEncoder().encode(text).length };
}

/** Maximum size of the reason in a close frame, in bytes. */
const MAX_REASON_BYTES = 123;

/**
 * Checks the arguments of `close()`.
 *
 * @throws {DOMException} If a page may not send the code, or the reason is too long.
 */
function checkClose(
  code: number | undefined,
  reason = "",
): { code: number; reason: string } {
  if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
    throw new DOMException(
      `Cannot close with "${code}": it must be 1000 or 3000 to 4999`,
      "InvalidAccessError",
    );
  }
  const text = String(reason);
  if (new TextEncoder().encode(text).length <= MAX_REASON_BYTES) {
    return { code: code ?? 1005, reason: text };
  }
  throw new DOMException(
    `Cannot close with "${text}": a reason has at most ${MAX_REASON_BYTES} bytes`,
    "SyntaxError",
  );
}

/** A token of HTTP (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Checks the subprotocols that a client offers.
 *
 * @throws {DOMException} If one is not a token, or occurs twice.
 */
export function checkProtocols(protocols: readonly string[]): readonly string[] {
  const wrong = protocols.find((protocol, index) =>
    !TOKEN.test(protocol) || protocols.indexOf(protocol) !== index
  );
  if (wrong === undefined) return protocols;
  throw new DOMException(
    `Cannot offer the subprotocol "${wrong}": it must be a token, once`,
    "SyntaxError",
  );
}

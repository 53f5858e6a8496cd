/** The value of an attribute such as `onmessage`. */
export type SocketEventHandler = ((event: Event) => unknown) | null;

/**
 * The event handlers of a target: attributes such as `onmessage`, which are called in the order in
 * which they and other listeners were added (HTML standard, "Event handlers").
 */
export class EventHandlers {
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

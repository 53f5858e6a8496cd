import type { FileOperations, FileReply } from "./file_operations.ts";

/** Carries out file operations in order, apart from the server's own thread. */
export interface FileWorker {
  /** Whether it can take operations; it can't after a failure of its own. */
  readonly alive: boolean;
  /** Carries out one operation. Rejects with the system's error. */
  call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<ReturnType<FileOperations[Name]>>;
  /** Ends it; it must be idle. */
  end(): void;
}

/** The operations that a worker has not answered yet, in their order. */
export class PendingOperations {
  readonly #asked: PromiseWithResolvers<unknown>[] = [];

  /** How many there are. */
  get size(): number {
    return this.#asked.length;
  }

  /** Adds one, and returns the promise of its result. */
  add<Result>(): Promise<Result> {
    const asked = Promise.withResolvers<Result>();
    // A worker answers an operation with what its function of the same name returns.
    this.#asked.push(asked as PromiseWithResolvers<unknown>);
    return asked.promise;
  }

  /** Settles the first one. */
  settle(reply: FileReply): void {
    const asked = this.#asked.shift();
    if (reply.ok) asked?.resolve(reply.value);
    else asked?.reject(toError(reply));
  }

  /** Rejects them all. */
  fail(error: Error): void {
    for (const asked of this.#asked.splice(0)) asked.reject(error);
  }
}

function toError({ name, message, code }: Extract<FileReply, { ok: false }>): Error {
  if (name === "NotCapable") return new Deno.errors.NotCapable(message);
  if (name === "InvalidData") return new Deno.errors.InvalidData(message);
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

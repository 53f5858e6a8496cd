import { Worker } from "node:worker_threads";
import { workingFolder } from "../../working_folder.ts";
import {
  carryOut,
  type FileOperations,
  type FileReply,
  type FileRequest,
} from "./file_operations.ts";

const MODULE = new URL("./file_thread_main.ts", import.meta.url);
/** A worker can't start from a remote module, but its own module may import one. */
const START = MODULE.protocol === "file:" ? MODULE : new URL(
  `data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(MODULE.href)};`)}`,
);

/**
 * A thread that carries out file operations in order. One that hangs blocks later ones in this
 * thread, and nothing else. An idle thread does not keep the program alive. No thread starts while
 * the working folder is removed: the operations then run where they are called.
 */
export class FileThread {
  readonly #worker = workingFolder() !== undefined ? new Worker(START) : undefined;
  readonly #asked: PromiseWithResolvers<unknown>[] = [];
  #alive = true;

  /** Starts the thread. */
  constructor() {
    this.#worker?.unref();
    this.#worker?.on("message", (reply: FileReply) => this.#settle(reply));
    this.#worker?.on("error", (error: Error) => this.#end(error));
  }

  /** Whether the thread can take operations; it can't after a failure of its own. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Carries out one operation. Rejects with the system's error. */
  call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<ReturnType<FileOperations[Name]>> {
    const asked = Promise.withResolvers<ReturnType<FileOperations[Name]>>();
    this.#worker?.ref();
    // The thread answers an operation with what its function of the same name returns.
    this.#asked.push(asked as PromiseWithResolvers<unknown>);
    const request: FileRequest = { name, args };
    if (this.#worker === undefined) this.#settle(carryOut(request));
    else this.#worker.postMessage(request, buffersIn(args));
    return asked.promise;
  }

  /** Ends the thread, which must be idle. */
  end(): void {
    void this.#worker?.terminate();
  }

  #settle(reply: FileReply): void {
    const asked = this.#asked.shift();
    if (this.#asked.length === 0) this.#worker?.unref();
    if (reply.ok) asked?.resolve(reply.value);
    else asked?.reject(toError(reply));
  }

  #end(error: Error): void {
    this.#alive = false;
    for (const asked of this.#asked.splice(0)) asked.reject(error);
  }
}

/** The buffers among values, which a message is to transfer. */
function buffersIn(values: readonly unknown[]): ArrayBuffer[] {
  return values.filter((value) => value instanceof ArrayBuffer);
}

function toError({ name, message, code }: Extract<FileReply, { ok: false }>): Error {
  if (name === "NotCapable") return new Deno.errors.NotCapable(message);
  if (name === "InvalidData") return new Deno.errors.InvalidData(message);
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

import { Worker } from "node:worker_threads";
import { workingFolder } from "../shared/working_folder.ts";
import {
  carryOut,
  FILE_OPERATIONS,
  type FileOperations,
  type FileReply,
  type FileRequest,
  resultOf,
} from "./file_operations.ts";

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
export class FileThread implements FileWorker {
  readonly #worker = workingFolder() !== undefined ? new Worker(START) : undefined;
  /** The operations that have not been answered yet, in their order. */
  readonly #asked: PromiseWithResolvers<FileReply>[] = [];
  #alive = true;

  constructor() {
    this.#worker?.unref();
    this.#worker?.on("message", (reply: FileReply) => this.#settle(reply));
    this.#worker?.on("error", (error: Error) => this.#end(error));
  }

  get alive(): boolean {
    return this.#alive;
  }

  async call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<ReturnType<FileOperations[Name]>> {
    const request: FileRequest = { name, args };
    if (this.#worker === undefined) return resultOf(carryOut(FILE_OPERATIONS, request));
    const asked = Promise.withResolvers<FileReply>();
    this.#asked.push(asked);
    this.#worker.ref();
    this.#worker.postMessage(request, buffersIn(args));
    return resultOf(await asked.promise);
  }

  end(): void {
    void this.#worker?.terminate();
  }

  #settle(reply: FileReply): void {
    this.#asked.shift()?.resolve(reply);
    if (this.#asked.length === 0) this.#worker?.unref();
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

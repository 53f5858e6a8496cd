import { Worker } from "node:worker_threads";
import { workingFolder } from "../../../shared/working_folder.ts";
import {
  carryOut,
  FILE_OPERATIONS,
  type FileOperations,
  type FileReply,
  type FileRequest,
} from "./file_operations.ts";
import { type FileWorker, PendingOperations } from "./file_worker.ts";

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
  readonly #pending = new PendingOperations();
  #alive = true;

  /** Starts the thread. */
  constructor() {
    this.#worker?.unref();
    this.#worker?.on("message", (reply: FileReply) => this.#settle(reply));
    this.#worker?.on("error", (error: Error) => this.#end(error));
  }

  get alive(): boolean {
    return this.#alive;
  }

  call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<ReturnType<FileOperations[Name]>> {
    this.#worker?.ref();
    const result = this.#pending.add<ReturnType<FileOperations[Name]>>();
    const request: FileRequest = { name, args };
    if (this.#worker === undefined) this.#settle(carryOut(FILE_OPERATIONS, request));
    else this.#worker.postMessage(request, buffersIn(args));
    return result;
  }

  end(): void {
    void this.#worker?.terminate();
  }

  #settle(reply: FileReply): void {
    this.#pending.settle(reply);
    if (this.#pending.size === 0) this.#worker?.unref();
  }

  #end(error: Error): void {
    this.#alive = false;
    this.#pending.fail(error);
  }
}

/** The buffers among values, which a message is to transfer. */
function buffersIn(values: readonly unknown[]): ArrayBuffer[] {
  return values.filter((value) => value instanceof ArrayBuffer);
}

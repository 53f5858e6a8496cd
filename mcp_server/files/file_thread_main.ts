import { parentPort } from "node:worker_threads";
import { carryOut, FILE_OPERATIONS, type FileRequest } from "./file_operations.ts";

// Carries out the operations that a FileThread sends, one after the other; see file_system.ts.

let last = Promise.resolve();
parentPort?.on("message", (request: FileRequest) => {
  last = last.then(async () => {
    const reply = await carryOut(FILE_OPERATIONS, request);
    parentPort?.postMessage(
      reply,
      reply.ok && reply.value instanceof ArrayBuffer ? [reply.value] : [],
    );
  });
});

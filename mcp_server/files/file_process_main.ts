/**
 * The program of a process that works on files, see file_process.ts: it becomes the user whom the
 * first request names, for good, and carries out the operations that follow. It fails before the
 * first operation if it can't become that user; its groups are that user's already, see
 * `toLateSetprivArgs()`.
 *
 * @module
 */
import process from "node:process";
import { loadLinePatterns } from "../shared/line_pattern.ts";
import { serveRequests } from "../shared/worker_process.ts";
import { carryOut } from "./file_operations.ts";
import { FOLDER_OPERATIONS, type ProcessRequest } from "./folder_operations.ts";

let isUser = false;
await serveRequests(async (request: ProcessRequest) => {
  if ("become" in request) {
    if (request.become !== null) {
      // Another user may not be allowed to read the package.
      await loadLinePatterns();
      becomeUser(request.become);
    }
    isUser = true;
    return undefined;
  }
  if (isUser) return await carryOut(FOLDER_OPERATIONS, request);
  throw new TypeError("Cannot work on files: no message has named a user");
});

function becomeUser(uid: number): void {
  if (!Number.isInteger(uid) || uid <= 0) throw new RangeError(`Cannot become the user ${uid}`);
  process.setuid?.(uid);
  const ids = [process.getuid?.(), process.geteuid?.()];
  if (ids.every((id) => id === uid) && !mayBecomeRoot()) return;
  throw new Error(`Cannot become the user ${uid}: the system leaves the process its rights`);
}

function mayBecomeRoot(): boolean {
  try {
    process.setuid?.(0);
    return true;
  } catch {
    return false;
  }
}

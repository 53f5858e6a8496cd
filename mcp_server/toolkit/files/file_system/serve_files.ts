import process from "node:process";
import { FOLDER_OPERATIONS } from "../bounded/folder_operations.ts";
import { type BecomeRequest, encodeFrame, type ProcessRequest, readFrames } from "./file_frames.ts";
import { carryOut } from "./file_operations.ts";

/**
 * Becomes the user whom the first message on stdin names, for good, and carries out the file
 * operations that follow. Ends with stdin. Rejects before the first operation if it can't become that
 * user; its groups are that user's already, see `toLateSetprivArgs()`.
 */
export async function serveFiles(): Promise<void> {
  const output = Deno.stdout.writable.getWriter();
  let isUser = false;
  for await (const message of readFrames<BecomeRequest | ProcessRequest>(Deno.stdin.readable)) {
    if ("become" in message) {
      if (message.become !== null) becomeUser(message.become);
      isUser = true;
    } else if (isUser) {
      await output.write(encodeFrame(carryOut(FOLDER_OPERATIONS, message)));
    } else {
      throw new TypeError("Cannot work on files: no message has named a user");
    }
  }
}

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

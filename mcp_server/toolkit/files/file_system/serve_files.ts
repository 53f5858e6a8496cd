import process from "node:process";
import { encodeFrame, readFrames } from "./file_frames.ts";
import { carryOut, type FileRequest } from "./file_operations.ts";

/**
 * Becomes, for good, the user who has started this process according to its real user id, and carries
 * out the file operations that arrive on stdin. Ends with stdin. Rejects before the first operation
 * if it can't become that user; its groups are that user's already, see `toLateSetprivArgs()`.
 */
export async function serveFiles(): Promise<void> {
  becomeUser(process.getuid?.() ?? 0);
  const output = Deno.stdout.writable.getWriter();
  for await (const request of readFrames<FileRequest>(Deno.stdin.readable)) {
    await output.write(encodeFrame(carryOut(request)));
  }
}

function becomeUser(uid: number): void {
  if (uid === 0) throw new RangeError("Cannot become another user: the process is started by root");
  process.setuid?.(uid);
  if (process.geteuid?.() === uid && !mayBecomeRoot()) return;
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

import { messageOf } from "../../domain/error.ts";

/** The content of a file of OpenSSH, or why it can't be read; neither if there is no such file. */
export interface SshFile {
  readonly text?: string;
  readonly fault?: string;
}

/**
 * Reads one of the files that OpenSSH keeps. A device counts as no file: `known_hosts` may be a
 * link to `/dev/null`. A folder, a FIFO or a socket, which could block the reader, is an error, and
 * so is a file that is too large.
 */
export async function readSshFile(path: string, mostBytes: number): Promise<SshFile> {
  try {
    const { isFile, isCharDevice, size } = await Deno.stat(path);
    if (isCharDevice) return {};
    if (!isFile) return { fault: "it is not a regular file" };
    using file = await Deno.open(path);
    const bytes = new Uint8Array(Math.min(size, mostBytes) + 1);
    let length = 0;
    for (let read: number | null = 0; read !== null && length < bytes.length; length += read ?? 0) {
      read = await file.read(bytes.subarray(length));
    }
    if (length > mostBytes) return { fault: `it has more than ${mostBytes} bytes` };
    return { text: new TextDecoder().decode(bytes.subarray(0, length)) };
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? {} : { fault: messageOf(error) };
  }
}

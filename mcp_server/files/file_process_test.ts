import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { encodeFrame, FrameReader, workerCommand } from "../shared/worker_process.ts";
import { serverCommand } from "../testing/server_process.ts";
import { needsUsers } from "../testing/test_user.ts";
import type { FileReply } from "./file_operations.ts";
import type { FolderRequest, ProcessRequest } from "./folder_operations.ts";

const MODULE = new URL("./file_process_main.ts", import.meta.url);
const [, ...COMPILED] = workerCommand({ module: MODULE, flags: [] }, {
  standalone: true,
  execPath: "trestle-mcp",
});
const NOBODY = 65_534;
const AS_NOBODY = [`--regid=${NOBODY}`, "--clear-groups", "--"];

/** The programs that serve files: that of a server with Deno, and a compiled server. */
const PROGRAMS: Readonly<Record<string, { command: string; args: string[] }>> = {
  "the program of file processes": {
    command: Deno.execPath(),
    args: ["run", "-A", MODULE.pathname],
  },
  "a server": serverCommand({ args: COMPILED }),
};

async function ask(command: string, args: string[], requests: ProcessRequest[]) {
  const process = new Deno.Command(command, {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = ReadableStream.from(requests.map(encodeFrame));
  const written = input.pipeTo(process.stdin).catch(() => {});
  const frames = new FrameReader<FileReply>();
  const replies: FileReply[] = [];
  for await (const chunk of process.stdout) replies.push(...frames.read(chunk));
  await written;
  return { replies, code: (await process.status).code };
}

for (const [name, { command, args }] of Object.entries(PROGRAMS)) {
  Deno.test(...needsUsers(`${name} becomes the user before its first operation`), async () => {
    const path = `/tmp/${crypto.randomUUID()}`;
    const { replies, code } = await ask("setpriv", [...AS_NOBODY, command, ...args], [
      { become: NOBODY },
      { name: "open", args: ["/etc/shadow", 0] },
      { name: "mkdir", args: [path] },
      { name: "stat", args: [path] },
      { name: "rmdir", args: [path] },
    ]);
    deepStrictEqual(replies.map((reply) => reply.ok || reply.code), ["EACCES", true, true, true]);
    const { uid, gid } = Object(Object(replies[2]).value);
    deepStrictEqual([uid, gid, code], [NOBODY, NOBODY, 0]);
  });

  Deno.test(...needsUsers(`${name} does nothing as root`), async () => {
    const stat: FolderRequest = { name: "stat", args: ["/"] };
    for (const requests of [[stat], [{ become: 0 }, stat]]) {
      const { replies, code } = await ask(command, args, requests);
      strictEqual(replies.length, 0);
      notStrictEqual(code, 0);
    }
  });
}

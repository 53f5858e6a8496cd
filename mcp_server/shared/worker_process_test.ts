import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import {
  encodeFrame,
  FrameReader,
  type Message,
  workerCommand,
  WorkerProcess,
} from "./worker_process.ts";

const PROGRAM = {
  module: new URL("../files/a_worker.ts", import.meta.url),
  flags: ["--allow-read"],
};

interface Request {
  readonly say?: string;
  readonly hang?: true;
  readonly exit?: number;
}

interface Reply {
  readonly said: string | undefined;
}

Deno.test("workerCommand() runs the module with deno, with its own permissions", () => {
  const command = workerCommand(PROGRAM, { standalone: false, execPath: "/usr/bin/deno" });
  deepStrictEqual(command.slice(0, 2), ["/usr/bin/deno", "run"]);
  deepStrictEqual(command.slice(-2), ["--allow-read", PROGRAM.module.href]);
});

Deno.test("workerCommand() starts a compiled server itself instead of deno", () => {
  const command = workerCommand(PROGRAM, { standalone: true, execPath: "/usr/bin/trestle-mcp" });
  deepStrictEqual(command, ["/usr/bin/trestle-mcp", "--worker", "../files/a_worker.ts"]);
});

/** Starts a worker that repeats what it gets, and hangs or exits on request. */
async function withWorker(
  work: (worker: WorkerProcess<Request, Reply>, lost: number[]) => Promise<void>,
): Promise<void> {
  await using folder = await createTempFolder();
  const own = import.meta.resolve("./worker_process.ts");
  const file = `${folder.path}/worker.ts`;
  await Deno.writeTextFile(
    file,
    `import { serveRequests } from ${JSON.stringify(own)};
serveRequests(({ say, hang, exit }) => {
  while (hang);
  if (exit !== undefined) Deno.exit(exit);
  return { said: say };
});`,
  );
  const lost: number[] = [];
  const command = workerCommand({ module: new URL(`file://${file}`), flags: [] });
  const options = { maxReplyBytes: 1_000, onLost: (code: number) => void lost.push(code) };
  const worker = new WorkerProcess<Request, Reply>(command, {}, options);
  try {
    await work(worker, lost);
  } finally {
    await worker.kill();
  }
}

Deno.test("WorkerProcess answers requests in order", async () => {
  await withWorker(async (worker, lost) => {
    const said = await Promise.all(["a", "b", "c"].map((say) => worker.ask({ say })));
    deepStrictEqual(said, [{ said: "a" }, { said: "b" }, { said: "c" }]);
    await worker.kill();
    deepStrictEqual([worker.alive, lost], [false, []]);
  });
});

Deno.test("WorkerProcess kills a process that does not answer in time", async () => {
  await withWorker(async (worker, lost) => {
    const asked = [worker.ask({ hang: true }, 200), worker.ask({ say: "a" })];
    deepStrictEqual(await Promise.all(asked), [undefined, undefined]);
    deepStrictEqual([worker.alive, lost, await worker.ask({})], [false, [], undefined]);
  });
});

Deno.test("WorkerProcess kills a process whose reply is too large", async () => {
  await withWorker(async (worker) => {
    strictEqual(await worker.ask({ say: "a".repeat(1_000) }), undefined);
    strictEqual(worker.alive, false);
  });
});

Deno.test("WorkerProcess reports that its process ended by itself", async () => {
  await withWorker(async (worker, lost) => {
    strictEqual(await worker.ask({ exit: 7 }), undefined);
    await worker.kill();
    deepStrictEqual([worker.alive, lost], [false, [7]]);
  });
});

/** Reads bytes in pieces of one size. */
function decode(bytes: Uint8Array, size: number, mostBytes?: number): Message[] {
  const reader = new FrameReader(mostBytes);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => {
    return bytes.slice(at * size, (at + 1) * size);
  });
  return pieces.flatMap((piece) => [...reader.read(piece)]);
}

const BYTES = Uint8Array.of(0, 255, 10, 123).buffer;
const MESSAGES: Message[] = [
  { name: "write", args: [3, BYTES, 0] },
  { name: "open", args: ['/a "b"\né\u0000', 0, 384] },
  { ok: true, value: BYTES },
  { ok: true, value: new ArrayBuffer(0) },
  { ok: true, value: { kind: "file", mode: 33188, size: 2 ** 40 } },
  { ok: false, name: "Error", message: "ENOENT", code: "ENOENT" },
];

Deno.test("FrameReader reads what encodeFrame() writes, however it is cut", () => {
  const frames = MESSAGES.map(encodeFrame);
  const all = Uint8Array.from(frames.flatMap((frame) => [...frame]));
  for (const size of [1, 7, 64, all.length]) deepStrictEqual(decode(all, size), MESSAGES);
});

Deno.test("FrameReader ends without the rest of a message that is cut off", () => {
  const frame = encodeFrame({ ok: true, value: BYTES });
  deepStrictEqual(decode(frame.subarray(0, -1), 64), []);
});

Deno.test("FrameReader refuses a message that is too large, before it has arrived", () => {
  const header = new Uint8Array(8).fill(255);
  throws(
    () => decode(header, 8, 4 * 1024 * 1024),
    /^RangeError: Cannot read a message of \d+ bytes: \d+ are the most$/,
  );
});

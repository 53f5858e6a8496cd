import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { workerCommand, WorkerProcess } from "./worker_process.ts";

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

import { deepStrictEqual, ok } from "node:assert/strict";
import { within } from "../shared/concurrency.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { serverCommand } from "../testing/server_process.ts";
import { findByMark } from "../testing/test_runner.ts";
import { checkAnswer, checkRpc } from "./check_answer.ts";
import { FAULT } from "./fuzz_server.ts";

/** A server over stdio that gets bytes, and of which everything is read that it writes. */
export interface StdioServer extends AsyncDisposable {
  /** Sends bytes in pieces of a size; resolves with what it writes until `isAnswered`. */
  exchange(
    bytes: Uint8Array,
    pieceBytes: number,
    isAnswered: (messages: readonly JsonObject[]) => boolean,
  ): Promise<readonly JsonObject[]>;
  /** Cuts a message off, and ends the input; returns what is wrong with how the server ends. */
  end(): Promise<string[]>;
}

/** Longer lines are skipped. */
export const MOST_LINE_BYTES = 262_144;

const ANSWER_MS = 15_000;
const SETTLE_MS = 10_000;
const END_MS = 30_000;
/** What a call may have open for a moment, besides what was open before the first input. */
const SPARE_DESCRIPTORS = 8;
const ECHO = new URL("../testdata/tools/echo.ts", import.meta.url);

/** Starts a server; its tools are the built-in ones, and one that echoes. */
export async function startStdioServer(): Promise<StdioServer> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  await Deno.writeTextFile(`${folder.path}/echo.ts`, `export { default } from "${ECHO}";\n`);
  const mark = crypto.randomUUID();
  const limits = ["--max-body-bytes", String(MOST_LINE_BYTES)];
  const { command, ...started } = serverCommand({
    args: ["--stdio", "--tools", folder.path, ...limits],
    env: { FUZZ_MARK: mark },
  });
  const process = new Deno.Command(command, {
    ...started,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = process.stdin.getWriter();
  const output = new Output(process.stdout);
  const log = readLog(process.stderr);
  stack.defer(async () => {
    try {
      process.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended
    }
    await Promise.all([process.status, output.ended, log.ended]);
    await input.close().catch(() => {});
  });
  let before: number | undefined;
  const owned = stack.move();
  return {
    async exchange(bytes, pieceBytes, isAnswered) {
      const written = writePieces(input, bytes, pieceBytes);
      // If the server ends, the missing answers are reported, not the broken pipe.
      written.catch(() => {});
      const messages = await output.until(isAnswered);
      await written;
      before ??= openFiles(process.pid);
      ok(!FAULT.test(log.text()), log.text());
      return messages;
    },
    async end() {
      if (output.hasEnded) return [`The server has ended before: ${log.text()}`];
      // A server that got no input has nothing to compare with.
      const most = before === undefined ? Infinity : before + SPARE_DESCRIPTORS;
      const opened = await settled(() => openFiles(process.pid), most);
      if (!await within(endInput(input), END_MS) || !await within(process.status, END_MS)) {
        return [`The server does not end: ${log.text()}`];
      }
      const { code } = await process.status;
      await Promise.all([output.ended, log.ended]);
      return [
        ...output.takeFaults(),
        ...(code === 0 ? [] : [`The exit code is ${code}: ${log.text()}`]),
        ...(FAULT.test(log.text()) ? [log.text()] : []),
        ...(opened <= most ? [] : [`${opened} files are open`]),
        ...(await settled(() => findByMark(mark).length, 0) === 0 ? [] : ["Processes are left"]),
      ];
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The messages of an output, each checked: a line that is none is a fault. */
class Output {
  readonly ended: Promise<void>;
  #messages: JsonObject[] = [];
  readonly #faults: string[] = [];
  #hasEnded = false;
  #wake = Promise.withResolvers<void>();

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.ended = this.#read(stream)
      .catch((error) => void this.#faults.push(String(error)))
      .finally(() => {
        this.#hasEnded = true;
        this.#wake.resolve();
      });
  }

  /** Whether the server has closed it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Waits for messages that answer everything; takes them. Throws if a line was none. */
  async until(isAnswered: (messages: readonly JsonObject[]) => boolean): Promise<JsonObject[]> {
    const late = AbortSignal.timeout(ANSWER_MS);
    const expired = Promise.withResolvers<void>();
    late.addEventListener("abort", () => expired.resolve(), { once: true });
    while (this.#faults.length === 0 && !isAnswered(this.#messages)) {
      ok(!this.#hasEnded, "the server has ended");
      ok(!late.aborted, `something is not answered; answered is ${JSON.stringify(this.#messages)}`);
      this.#wake = Promise.withResolvers();
      await Promise.race([this.#wake.promise, expired.promise]);
    }
    const faults = this.takeFaults();
    ok(faults.length === 0, faults.join("\n"));
    return this.#messages.splice(0);
  }

  /** Takes what was wrong, so that it counts for the input that caused it only. */
  takeFaults(): string[] {
    return this.#faults.splice(0);
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let text = "";
    for await (const part of stream.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))) {
      const lines = (text + part).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) this.#add(line);
      this.#wake.resolve();
    }
    deepStrictEqual(text, "", "the last line has no end");
  }

  #add(line: string): void {
    try {
      this.#messages.push(parseMessage(line));
    } catch (error) {
      this.#faults.push(`"${line}" is not a message: ${error}`);
    }
  }
}

function parseMessage(line: string): JsonObject {
  const answer = { status: 200, type: "application/json", body: line };
  checkAnswer(answer);
  checkRpc(answer);
  const message: unknown = JSON.parse(line);
  ok(isJsonObject(message), line);
  return message;
}

async function writePieces(
  input: WritableStreamDefaultWriter<Uint8Array>,
  bytes: Uint8Array,
  pieceBytes: number,
): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    await input.write(bytes.subarray(at, at + pieceBytes));
  }
}

/** Cuts a message off, and ends the input. */
async function endInput(input: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
  await input.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"meth'));
  await input.close();
}

function readLog(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let text = "";
  const read = async () => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) text += part;
  };
  return { ended: read(), text: () => text };
}

function openFiles(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

/** Counts until there are at most so many, which takes a moment; returns the last count. */
async function settled(count: () => number, most: number): Promise<number> {
  for (const deadline = performance.now() + SETTLE_MS;;) {
    const found = count();
    if (found <= most || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

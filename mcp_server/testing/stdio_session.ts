import { serverCommand, type ServerOptions } from "./server_process.ts";

/** A server over stdio, as lines of text, so that a test sees everything that it writes. */
export interface StdioSession extends AsyncDisposable {
  readonly pid: number;
  /** Sends one JSON-RPC message, or any line. */
  send(message: object | string): Promise<void>;
  /** Waits for the next line; `undefined` at the end of the output. */
  nextLine(): Promise<string | undefined>;
  /** Closes the server's input; resolves with its exit code. */
  end(): Promise<number>;
}

/** Starts a server over stdio. */
export function startStdioSession(options: ServerOptions = {}): StdioSession {
  const { command, ...started } = serverCommand({
    ...options,
    args: [...options.args ?? [], "--stdio"],
  });
  const process = new Deno.Command(command, {
    ...started,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = process.stdin.getWriter();
  const output = lines(process.stdout);
  const end = async () => {
    await input.close().catch(() => {});
    return (await process.status).code;
  };
  return {
    pid: process.pid,
    send: (message) => {
      const line = typeof message === "string"
        ? message
        : JSON.stringify({ jsonrpc: "2.0", ...message });
      return input.write(new TextEncoder().encode(`${line}\n`));
    },
    nextLine: async () => (await output.next()).value,
    end,
    [Symbol.asyncDispose]: async () => {
      await end();
      await output.return(undefined);
    },
  };
}

async function* lines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string, undefined> {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (text + chunk).split("\n");
    text = parts.pop() ?? "";
    yield* parts;
  }
  if (text !== "") yield text;
}

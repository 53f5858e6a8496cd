import type { CheckedOut } from "./check_out.ts";

/** A server of an old version, which serves on a free port. */
export interface OldServer extends AsyncDisposable {
  readonly url: string;
  /** Stops it with a signal, and waits for its end. */
  stop(signal: Deno.Signal): Promise<void>;
}

/** Starts the server of a commit; its environment has `PATH` and what is given. */
export async function startOldServer(
  sources: CheckedOut,
  env: Readonly<Record<string, string>>,
): Promise<OldServer> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--quiet", "-A", `${sources.path}/mcp_server/main.ts`],
    cwd: sources.path,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", MCP_PORT: "0", ...cache(), ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const url = await firstAddress(process.stdout);
  if (url === undefined) throw new Error(`Cannot start the server of "${sources.path}"`);
  const stop = async (signal: Deno.Signal) => {
    try {
      process.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await process.status;
  };
  return { url, stop, [Symbol.asyncDispose]: () => stop("SIGTERM") };
}

/** Its packages are in the cache of this program, wherever its home is. */
function cache(): Record<string, string> {
  const folder = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return { DENO_DIR: folder };
}

/** The address that the server prints when it serves; its other lines are read and dropped. */
async function firstAddress(
  stdout: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<string | undefined> {
  const found = Promise.withResolvers<string | undefined>();
  (async () => {
    let text = "";
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const address = /http\S+(?=\/mcp)/.exec(text)?.[0];
      if (address !== undefined) found.resolve(address);
    }
    found.resolve(undefined);
  })().catch(found.reject);
  return await found.promise;
}

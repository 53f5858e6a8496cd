/** A program under measurement that has printed its address. */
export interface Started extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Starts a program that prints its address, and waits until it answers. */
export async function start(
  file: string,
  args: readonly string[],
  env = {},
  permissions: readonly string[] = ["-A"],
): Promise<Started> {
  const path = new URL(file, import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, "--quiet", path, ...args],
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const stop = async () => {
    terminate(child);
    await lines.cancel();
    await child.status;
  };
  const { value = "" } = await lines.read();
  const url = /http:\/\/[\d.:]+/.exec(value)?.[0];
  if (url === undefined) {
    await stop();
    throw new Error(`Cannot start "${file}": it printed no address`);
  }
  await (await fetch(`${url}/healthz`)).body?.cancel();
  return { url, pid: child.pid, [Symbol.asyncDispose]: stop };
}

/** Stops a process, which may have ended by itself. */
function terminate(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGTERM");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

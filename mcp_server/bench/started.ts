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
  const { value = "" } = await lines.read();
  const url = /http:\/\/[\d.:]+/.exec(value)?.[0] ?? "";
  await (await fetch(`${url}/healthz`)).body?.cancel();
  return {
    url,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await lines.cancel();
      await child.status;
    },
  };
}

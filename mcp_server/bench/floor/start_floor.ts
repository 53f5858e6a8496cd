/** A small process that does the same work again and again. */
export interface Floor extends AsyncDisposable {
  /** Lets it do the work once; resolves with the milliseconds that it measured itself. */
  measure(): Promise<number>;
  /** Lets it do the work several times, one right after the other. */
  measureRow(count: number): Promise<number[]>;
}

/**
 * Starts a program of this folder. What it measures is the least that the work can take: a larger
 * process, such as that of the benchmark, takes longer to spawn another one.
 */
export function startFloor(file: string, args: readonly string[]): Floor {
  const path = new URL(file, import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", path, ...args],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const requests = child.stdin.getWriter();
  const times = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const measureRow = async (count: number) => {
    await requests.write(new Uint8Array(count));
    let text = "";
    while (text.split("\n").length <= count) {
      const { done, value } = await times.read();
      if (done) throw new Error(`Cannot measure "${file}": the process has ended`);
      text += value;
    }
    return text.trimEnd().split("\n").map(Number);
  };
  return {
    measure: async () => (await measureRow(1))[0] ?? NaN,
    measureRow,
    [Symbol.asyncDispose]: async () => {
      await requests.close();
      await times.cancel();
      await child.status;
    },
  };
}

/**
 * Does some work once for each byte on stdin, and prints how many milliseconds it took: the work
 * without a server around it, in a process that does nothing else.
 */
export async function timeEach(work: () => Promise<unknown>): Promise<void> {
  const request = new Uint8Array(1);
  while (await Deno.stdin.read(request) !== null) {
    const startedAt = performance.now();
    await work();
    console.log(performance.now() - startedAt);
  }
}

/** Waits for a while. */
export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs something one time after the other, whoever asks for it. */
export function oneAtATime<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let before: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const now = before.then(() => run(...args));
    before = now.catch(() => {});
    return now;
  };
}

/** Waits until a condition holds, for at most a while; returns whether it does. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  ms: number,
): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!await condition()) {
    if (performance.now() > deadline) return false;
    await pause(100);
  }
  return true;
}

import { ok } from "node:assert/strict";

/**
 * Waits until a condition holds that depends on the network or another process; fails after 60
 * seconds.
 */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!isSo()) {
    ok(Date.now() < deadline, `the condition was never met: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

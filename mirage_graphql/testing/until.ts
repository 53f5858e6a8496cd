import { ok } from "node:assert/strict";

/** Waits for what a network or another process does; fails after 20 seconds. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!isSo()) {
    ok(Date.now() < deadline, `it never came to be so: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

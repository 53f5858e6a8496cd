import { fileURLToPath } from "node:url";
import type { Row } from "../../test_support/bench/table.ts";

/** Heap growth over 100,000 requests that share one signal, measured in a separate process. */
export async function benchHeap(): Promise<Row[]> {
  const main = fileURLToPath(new URL("./heap_main.ts", import.meta.url));
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--v8-flags=--expose-gc", main],
    stderr: "inherit",
  });
  const { before, after } = JSON.parse(new TextDecoder().decode((await command.output()).stdout));
  return [{
    what: "heap after 100,000 requests on one signal / before",
    value: `${(before / 1e6).toFixed(2)} to ${(after / 1e6).toFixed(2)} MB`,
    ratio: after / before,
    target: "flat",
  }];
}

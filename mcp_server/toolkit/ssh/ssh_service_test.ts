import { notStrictEqual, strictEqual } from "node:assert/strict";
import { useSshService } from "./ssh_service.ts";

Deno.test("useSshService() shares the connections of a server's tools until the last has ended", async () => {
  const env = () => undefined;
  const ends: (() => void | Promise<void>)[] = [];
  const use = (of = env) => useSshService({ env: of, onShutdown: (end) => void ends.push(end) });
  const first = use();
  strictEqual(use(), first);
  notStrictEqual(use(() => undefined), first);
  await ends[0]?.();
  strictEqual(use(), first);
  await ends[1]?.();
  await ends[3]?.();
  notStrictEqual(use(), first);
});

import { match, notStrictEqual } from "node:assert/strict";

const WATCHDOG = new URL("watchdog.ts", import.meta.url);

Deno.test("startWatchdog() ends a process that loops without an end, and says where", async () => {
  const program = `
    import { startWatchdog } from "${WATCHDOG}";
    const watchdog = startWatchdog(1);
    watchdog.watch("numbers --seed 7");
    watchdog.tick();
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (;;);
  `;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", `data:application/typescript,${encodeURIComponent(program)}`],
  }).output();
  notStrictEqual(code, 0);
  match(new TextDecoder().decode(stderr), /No input ended within 1 s: numbers --seed 7, after 1 /);
});

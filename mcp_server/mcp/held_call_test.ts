import { ResponseBacklog } from "../http/body.ts";
import { CallReports, HeldCall } from "./held_call.ts";

for (const end of ["stop", "abandon"] as const) {
  Deno.test(`HeldCall lets a tool with many early reports go on after ${end}()`, async () => {
    const held = new HeldCall(new CallReports({}, new ResponseBacklog()));
    held.carriedBy({ outcome: new Promise(() => {}), stop: () => {} });
    const reports = Array.from(
      { length: 200 },
      () => held.listeners.onNotification({ method: "" }),
    );
    held[end]();
    await Promise.all(reports);
  });
}

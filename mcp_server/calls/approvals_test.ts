import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import type { Caller } from "../access/caller.ts";
import { defaultLimits } from "../shared/limits.ts";
import type { AskUser } from "../tool/tool.ts";
import { Approvals } from "./approvals.ts";
import { AuditLog } from "./audit.ts";

const CI: Caller = {
  name: "ci",
  rights: {
    tools: ["*"],
    hosts: [],
    databases: {},
    paths: [],
    admin: false,
    ask: ["ssh-*", "write-file"],
  },
};
const ADMIN: Caller = { name: "default" };
const FULL = { write: () => {}, written: () => Promise.reject(new Error("the disk is full")) };

function request(signal: AbortSignal, ask?: AskUser) {
  const options = { caller: CI, transport: "http" } as const;
  return { tool: "write-file", input: { path: "/f" }, options, signal, ask };
}

Deno.test("Approvals lets nothing run on a decision that the audit can't record", async () => {
  const approvals = new Approvals({ limits: defaultLimits(2), audit: new AuditLog(FULL) });
  const { signal } = new AbortController();
  const byAdmin = approvals.obtain(request(signal));
  const [waiting] = approvals.list();
  await rejects(
    approvals.decide(waiting?.id ?? "", "approve", { caller: ADMIN }),
    /the disk is full/,
  );
  match((await byAdmin)?.message ?? "", /the audit could not record who decided/);
  const yes = () =>
    Promise.resolve({ action: "accept", content: { decision: "approve" } } as const);
  const byClient = await approvals.obtain(request(signal, yes));
  match(byClient?.message ?? "", /the audit could not record who decided/);
  deepStrictEqual(approvals.list(), []);
});

Deno.test("Approvals withdraws the question of a client when another has decided", async () => {
  const approvals = new Approvals({ limits: defaultLimits(2), audit: new AuditLog(() => {}) });
  let withdrawn: AbortSignal | undefined;
  const ask: AskUser = ({ signal }) => {
    withdrawn = signal;
    return new Promise(() => {});
  };
  const call = approvals.obtain(request(new AbortController().signal, ask));
  const [waiting] = approvals.list();
  strictEqual(withdrawn?.aborted, false);
  await approvals.decide(waiting?.id ?? "", "approve", { caller: ADMIN });
  strictEqual(await call, undefined);
  strictEqual(withdrawn?.aborted, true);
});

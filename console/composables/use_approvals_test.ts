import { deepStrictEqual } from "node:assert/strict";
import { mergeApprovals, type ShownApproval } from "./use_approvals.ts";

function approval(id: string, server: string): ShownApproval {
  return {
    ...{ id, server, tool: "write-file", caller: "ci", transport: "http", inClient: false },
    arguments: { text: "{}", length: 2, truncated: false },
    createdAt: "2026-01-02T00:00:00.000Z",
    expiresAt: "2026-01-02T00:10:00.000Z",
    isOver: false,
  };
}

Deno.test("an approval waits on while its server does not answer, unless it was decided about", () => {
  const known = [approval("a", "web-1"), approval("b", "web-2"), approval("c", "web-2")];
  const answer = { approvals: [approval("d", "web-1")], unreachable: ["web-2"] };
  const shown = mergeApprovals(known, answer, new Map([["c", "approve"]]));
  deepStrictEqual(shown.map(({ id, isOver }) => [id, isOver]), [
    ["a", true],
    ["b", false],
    ["c", true],
    ["d", false],
  ]);
  const again = mergeApprovals(shown, { approvals: [], unreachable: ["web-1"] }, new Map());
  deepStrictEqual(again.map(({ id, isOver }) => [id, isOver]), [
    ["a", true],
    ["b", true],
    ["c", true],
    ["d", false],
  ]);
});

Deno.test("an answer from before a decision brings the call back neither as waiting nor at all", () => {
  const stale = { approvals: [approval("a", "web-1")], unreachable: [] };
  const decisions = new Map([["a", "decline" as const]]);
  const shown = mergeApprovals([approval("a", "web-1")], stale, decisions);
  deepStrictEqual(shown.map(({ id, isOver }) => [id, isOver]), [["a", true]]);
  deepStrictEqual(mergeApprovals([], stale, decisions), []);
});

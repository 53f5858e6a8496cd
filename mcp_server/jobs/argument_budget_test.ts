import { strictEqual, throws } from "node:assert/strict";
import { ArgumentBudget } from "./argument_budget.ts";

const KIB = 1024;
const args = { text: "x".repeat(10 * KIB) };

Deno.test("ArgumentBudget leaves half of its room to other callers, and has it back", () => {
  const budget = new ArgumentBudget(100 * KIB);
  const held = [budget.hold("bob", args), budget.hold("bob", args)];
  throws(() => budget.hold("bob", args), {
    code: "BUSY",
    message: /51200 for each caller \(MCP_MAX_JOB_ARGS_BYTES\); those of "bob" take \d+, those of/,
  });
  held.push(budget.hold("ann", args), budget.hold("ann", args));
  throws(() => budget.hold("eve", { list: [args, args] }), { code: "BUSY" });
  for (const one of held) {
    one[Symbol.dispose]();
    one[Symbol.dispose]();
  }
  strictEqual(budget.total, 0);
  budget.hold("eve", { list: [args, args] });
});

Deno.test("ArgumentBudget counts structure as well as text, and what is not given as little", () => {
  const budget = new ArgumentBudget(100 * KIB);
  throws(() => budget.hold("bob", Array.from({ length: 2 * KIB }, () => [])), { code: "BUSY" });
  throws(() => budget.hold("bob", { ["k".repeat(30 * KIB)]: 1 }), { code: "BUSY" });
  using _held = budget.hold("bob", undefined);
  strictEqual(budget.total < 100, true);
});

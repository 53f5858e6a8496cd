import { strictEqual } from "node:assert/strict";
import { ResultBudget } from "./result_budget.ts";

Deno.test("ResultBudget leaves a share for each part, whatever the first ones take", () => {
  const size = 1_000_000;
  const budget = new ResultBudget(size, 100);
  let spent = 0;
  let least = Infinity;
  for (let part = 0; part < 100; part++) {
    least = Math.min(least, budget.next);
    spent += budget.next;
    budget.spend(budget.next);
  }
  strictEqual(spent <= size, true);
  strictEqual(least >= 8_000, true);
});

Deno.test("ResultBudget lets later parts use what earlier ones left", () => {
  const budget = new ResultBudget(1_000_000, 3);
  const first = budget.next;
  budget.spend(0);
  strictEqual(budget.next > first, true);
});

Deno.test("ResultBudget is never below zero, however little there is", () => {
  const budget = new ResultBudget(1_000, 100);
  strictEqual(budget.next, 0);
  budget.spend(500);
  strictEqual(budget.next, 0);
});

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildResponse, ResultBudget, textOf } from "./result.ts";

Deno.test("buildResponse() carries the same data for programs and for readers of text", () => {
  const value = { lines: 3, names: ["a", "ä"], none: null };
  const result = buildResponse(value);
  deepStrictEqual(result.structuredContent, value);
  deepStrictEqual(JSON.parse(textOf(result)), value);
});

Deno.test("textOf() joins the texts of a result and leaves other content out", () => {
  const image = { type: "image", data: "", mimeType: "image/png" } as const;
  const content = [
    { type: "text", text: "a" } as const,
    image,
    { type: "text", text: "b" } as const,
  ];
  strictEqual(textOf({ content }), "a\nb");
});

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

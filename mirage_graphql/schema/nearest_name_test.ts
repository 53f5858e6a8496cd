import { strictEqual } from "node:assert/strict";
import { nearestName } from "./nearest_name.ts";

const NAMES = ["Person", "Post", "PersonConnection", "Query", "createdAt"];

const CASES: readonly [name: string, nearest: string | undefined][] = [
  ["Person", "Person"],
  ["person", "Person"],
  ["Persn", "Person"],
  ["Persons", "Person"],
  ["PersonConection", "PersonConnection"],
  ["Pots", "Post"],
  ["created_at", "createdAt"],
  ["Qery", "Query"],
  ["Comment", undefined],
  ["", undefined],
  ["X", undefined],
];

for (const [name, nearest] of CASES) {
  Deno.test(`nearestName(): "${name}" is most similar to ${nearest ?? "none"}`, () => {
    strictEqual(nearestName(name, NAMES), nearest);
  });
}

Deno.test("nearestName() returns the first of two equally similar names", () => {
  strictEqual(nearestName("cat", ["car", "cap"]), "car");
});

Deno.test("nearestName() returns undefined if there are no candidates", () => {
  strictEqual(nearestName("Person", []), undefined);
});

Deno.test("nearestName() returns undefined if every letter would be replaced", () => {
  strictEqual(nearestName("X", ["ID"]), undefined);
  strictEqual(nearestName("id", ["ID"]), "ID");
});

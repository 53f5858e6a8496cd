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
  Deno.test(`nearestName(): "${name}" is most like ${nearest ?? "none"}`, () => {
    strictEqual(nearestName(name, NAMES), nearest);
  });
}

Deno.test("nearestName() takes the first of two that are as like", () => {
  strictEqual(nearestName("cat", ["car", "cap"]), "car");
});

Deno.test("nearestName() has none if there are no candidates", () => {
  strictEqual(nearestName("Person", []), undefined);
});

Deno.test("nearestName() has none for a name of which no letter would be left", () => {
  strictEqual(nearestName("X", ["ID"]), undefined);
  strictEqual(nearestName("id", ["ID"]), "ID");
});

import { deepStrictEqual } from "node:assert/strict";
import { parsePlace } from "./place.ts";

const FIRST = { isOpen: false, dock: "bottom", tab: "Requests", size: 0.45, x: 0.5, y: 0.1 };

const PLACES: readonly (readonly [text: string | null, changed: object])[] = [
  [null, {}],
  ["{", {}],
  ["null", {}],
  ["[1]", {}],
  [`{"isOpen":1,"dock":"left","tab":{},"size":"1","x":null,"y":-4}`, { y: 0 }],
  [`{"isOpen":true,"dock":"float","tab":"Records","size":7,"x":0.2,"y":1}`, {
    ...{ isOpen: true, dock: "float", tab: "Records", size: 0.9, x: 0.2, y: 0.9 },
  }],
];

for (const [text, changed] of PLACES) {
  Deno.test(`parsePlace() reads ${text}`, () => {
    deepStrictEqual(parsePlace(text), { ...FIRST, ...changed });
  });
}

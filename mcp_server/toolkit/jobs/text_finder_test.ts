import { strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { TextFinder } from "./text_finder.ts";

const encoder = new TextEncoder();

Deno.test("TextFinder finds a text wherever the pieces are cut", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "€"), minLength: 1, maxLength: 4 });
  const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "€"), maxLength: 3 }));
  fc.assert(fc.property(text, pieces, (wanted, parts) => {
    const finder = new TextFinder(wanted);
    let seen = "";
    for (const part of parts) {
      const offset = encoder.encode(seen).length;
      seen += part;
      const isFound = finder.endsIn({ offset, bytes: encoder.encode(part) });
      strictEqual(isFound, seen.includes(wanted));
      strictEqual(finder.end, encoder.encode(seen).length);
      if (isFound) return;
    }
  }));
});

Deno.test("TextFinder finds nothing across bytes that are missing", () => {
  const finder = new TextFinder("ab");
  strictEqual(finder.endsIn({ offset: 0, bytes: encoder.encode("a") }), false);
  strictEqual(finder.endsIn({ offset: 2, bytes: encoder.encode("b") }), false);
  strictEqual(finder.endsIn({ offset: 3, bytes: encoder.encode("a") }), false);
  strictEqual(finder.endsIn({ offset: 4, bytes: encoder.encode("b") }), true);
});

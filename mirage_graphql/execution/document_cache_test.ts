import { parse } from "graphql";
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { personSchema } from "../testing/person_schema.ts";
import { type CheckedDocument, createDocumentCache } from "./document_cache.ts";

function messagesOf(checked: CheckedDocument): string[] {
  return "errors" in checked ? checked.errors.map(({ message }) => message) : [];
}

Deno.test("createDocumentCache() parses and validates a source once", () => {
  const cache = createDocumentCache(personSchema());
  strictEqual(cache.get("{ hello }"), cache.get("{ hello }"));
  const document = parse("{ hello }");
  strictEqual(cache.get(document), cache.get(document));
  strictEqual(cache.size, 1);
});

Deno.test("createDocumentCache() stays within its bound and keeps the sources in use", () => {
  const cache = createDocumentCache(personSchema(), 10);
  const kept = cache.get("{ hello }");
  for (let index = 0; index < 1000; index++) {
    cache.get(`{ hello(name: "${index}") }`);
    strictEqual(cache.get("{ hello }"), kept);
    ok(cache.size <= 10, `${cache.size} documents`);
  }
  const early = cache.get('{ hello(name: "0") }');
  notStrictEqual(cache.get('{ hello(name: "999") }'), early);
});

Deno.test("createDocumentCache() does not cache rejected and very long sources", () => {
  const cache = createDocumentCache(personSchema());
  cache.get("{ nothing }");
  cache.get("{ hello");
  cache.get(`{ hello } # ${"x".repeat(70_000)}`);
  strictEqual(cache.size, 0);
});

Deno.test("createDocumentCache() reports why a source is rejected", () => {
  const cache = createDocumentCache(personSchema());
  deepStrictEqual(messagesOf(cache.get("{ hello")), [
    "Syntax Error: Expected Name, found <EOF>.",
  ]);
  deepStrictEqual(messagesOf(cache.get("{ nothing }")), [
    'Cannot query field "nothing" on type "Query".',
  ]);
  const deep = "{ a".repeat(200_000);
  ok(messagesOf(cache.get(deep))[0]?.startsWith("Cannot read the document: "));
});

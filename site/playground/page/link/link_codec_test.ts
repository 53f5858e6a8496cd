import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { decodeFragment, encodeFragment, MAX_LINK_BYTES } from "./link_codec.ts";
import { parseSharedState, type SharedState } from "./shared_state.ts";
import { loadSchema, SAMPLES } from "../samples/samples.ts";

Deno.test("decodeFragment() returns what encodeFragment() was given", async () => {
  const states = fc.record({
    schema: fc.string({ unit: "grapheme" }),
    operation: fc.string(),
    resolvers: fc.string(),
    tables: fc.dictionary(fc.string(), fc.array(fc.dictionary(fc.string(), fc.jsonValue()))),
  });
  await fc.assert(
    fc.asyncProperty(states, async (state) => {
      const plain = JSON.parse(JSON.stringify(state));
      const fragment = await encodeFragment(plain);
      ok(/^s=[\w-]*$/.test(fragment), fragment);
      deepStrictEqual({ ...await decodeFragment(`#${fragment}`) }, plain);
    }),
    { numRuns: 30 },
  );
});

Deno.test("a link of each sample but the one of 1.2 MB is far below the bound", async () => {
  for (const sample of SAMPLES) {
    const { name, operation } = sample;
    const schema = await loadSchema(sample);
    const isLarge = schema.length > 1_000_000;
    const state: SharedState = { schema, operation, tables: {}, resolvers: "" };
    const { length } = await encodeFragment(state);
    ok(isLarge || length < MAX_LINK_BYTES / 5, `${name}: ${length}`);
  }
});

Deno.test("other fragments carry nothing", async () => {
  strictEqual(await decodeFragment(""), undefined);
  strictEqual(await decodeFragment("#limits"), undefined);
});

const DAMAGED = ["s=", "s=%", "s=AAAA", "s=A", "s=eyJ9"];

for (const fragment of DAMAGED) {
  Deno.test(`decodeFragment() rejects a damaged link: ${fragment}`, async () => {
    await rejects(decodeFragment(fragment), {
      name: "TypeError",
      message: "Cannot open the link: it is damaged",
    });
  });
}

Deno.test("decodeFragment() does not inflate without a bound", async () => {
  const schema = " ".repeat(20 * 1024 * 1024);
  const fragment = await encodeFragment({ schema, operation: "", tables: {}, resolvers: "" });
  ok(fragment.length < MAX_LINK_BYTES);
  await rejects(decodeFragment(fragment), { name: "RangeError" });
});

const FOREIGN: readonly (readonly [value: unknown, message: string])[] = [
  [null, 'Cannot open "null": it is not an object'],
  [{}, 'Cannot open "schema": it must be text'],
  [{ schema: "a", resolvers: {} }, 'Cannot open "resolvers": it must be text'],
  [{ schema: "a", tables: [] }, 'Cannot open "tables": they must be an object'],
  [
    { schema: "a", tables: { people: [1] } },
    'Cannot open the table "people": it must be a list of records',
  ],
];

for (const [value, message] of FOREIGN) {
  Deno.test(`parseSharedState() refuses ${JSON.stringify(value)}`, async () => {
    await rejects(() => Promise.resolve().then(() => parseSharedState(value)), { message });
  });
}

Deno.test("parseSharedState() takes names of prototypes as those of tables and attributes", () => {
  const text = '{"schema": "a", "tables": {"__proto__": [{"id": "1", "__proto__": {"b": 2}}]}}';
  const { tables } = parseSharedState(JSON.parse(text));
  const [record = {}] = Object.entries(tables).find(([name]) => name === "__proto__")?.[1] ?? [];
  deepStrictEqual(Object.keys(record), ["id", "__proto__"]);
  strictEqual(Reflect.get(tables, "id"), undefined);
  strictEqual(Reflect.get({}, "b"), undefined);
});

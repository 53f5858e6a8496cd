import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { buildSchema } from "graphql";
import { times } from "../../test_support/tier.ts";
import { Draw } from "../testing/properties/draw.ts";
import { drawSchema } from "../testing/properties/draw_schema.ts";
import { toSdl } from "../testing/properties/to_sdl.ts";
import { selectionOf } from "../testing/selection_of.ts";
import { loadMock } from "../serving/load_mock.ts";

const tapes = fc.array(fc.noBias(fc.nat(9_999)), { maxLength: 300, size: "max" });

Deno.test("loadMock() generates records of any schema, and all their fields can be read", async () => {
  await fc.assert(
    fc.asyncProperty(tapes, async (tape) => {
      const spec = drawSchema(new Draw(tape));
      const own = spec.objects.map(({ name }) => `own_${name}: [${name}!]!`);
      const text = `${toSdl(spec)} extend type Query { ${own.join(" ")} }`;
      const query = buildSchema(text).getQueryType();
      const mock = await loadMock([{ path: "drawn.graphql", text }]);
      deepStrictEqual(
        Object.values(mock.counts),
        spec.objects.map(() => 5),
      );
      const answer = await mock.respond(
        new Request("http://localhost/", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ query: query ? selectionOf(query, 4) : "" }),
        }),
      );
      mock.close();
      const { data, errors } = await answer.json();
      deepStrictEqual(errors, undefined, text);
      strictEqual(Object.keys(data).length > spec.objects.length, true);
    }),
    { numRuns: times(8, 40), interruptAfterTimeLimit: 20_000 },
  );
});

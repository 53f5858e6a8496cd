import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { buildSchema } from "graphql";
import { times } from "../../test_support/tier.ts";
import { type IdFormat, parseGlobalId, toGlobalId } from "../relay/global_id.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";
import { Draw } from "../testing/properties/draw.ts";
import { drawOperation } from "../testing/properties/draw_operation.ts";
import { drawSchema } from "../testing/properties/draw_schema.ts";
import { drawWorld } from "../testing/properties/draw_world.ts";
import { scenarios, type Tapes } from "../testing/properties/scenario.ts";
import { createSeededServer } from "../testing/properties/seeded_server.ts";
import { toSdl } from "../testing/properties/to_sdl.ts";
import { withGlobalIds, withLocalIds } from "../testing/properties/with_global_ids.ts";

const RUNS = Number(Deno.env.get("PROPERTY_RUNS") ?? 40);
const SEED = Deno.env.get("PROPERTY_SEED");
/** What is counted must not depend on chance: the same scenarios each time. */
const COUNTED = { numRuns: times(8, 20), seed: 1 };

for (const format of ["global", "global-base64"] as const) {
  Deno.test(`random queries with ${format} ids return the same as with local ones`, () => {
    const count = { planned: 0, all: 0, changed: 0, encoded: 0 };
    fc.assert(fc.property(scenarios, (tapes) => checkFormat(tapes, format, { ...count })), {
      numRuns: RUNS,
      interruptAfterTimeLimit: RUNS * 300,
      ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    });
    for (const tapes of fc.sample(scenarios, COUNTED)) checkFormat(tapes, format, count);
    ok(count.planned > 0.4 * count.all, `${count.planned} of ${count.all} were planned`);
    ok(count.changed > 0, "no request had global ids");
    ok(count.encoded > count.all, `${count.encoded} ids in ${count.all} answers`);
  });
}

type Count = Record<"planned" | "all" | "changed" | "encoded", number>;

function checkFormat({ schema, records, steps }: Tapes, format: IdFormat, count: Count): void {
  const spec = drawSchema(new Draw(schema));
  const world = drawWorld(new Draw(records), spec);
  const sdl = toSdl(spec);
  const graphQLSchema = buildSchema(sdl);
  using server = createSeededServer(world, { models: {}, resolvers: {}, stored: (value) => value });
  const data = server.dump();
  const local = createPlannedMock(sdl, { data });
  const global = createPlannedMock(sdl, { data, ids: format });
  const isType = (name: string) => spec.objects.some((object) => object.name === name);
  const toLocal = (text: string) => {
    const found = parseGlobalId(format, text);
    if (found === undefined || !isType(found.typeName)) return text;
    count.encoded++;
    return found.id;
  };
  for (const step of steps) {
    const plain = drawOperation(new Draw(step), world, graphQLSchema);
    const encoded = withGlobalIds(plain, {
      world,
      schema: graphQLSchema,
      toGlobal: (typeName, id) => toGlobalId(format, typeName, id),
    });
    const expected = local.executed(plain.source, { ...plain.variables });
    for (const { source, variables } of [plain, encoded]) {
      const { data, errors } = global.executed(source, { ...variables });
      // cursors are the ids in base64, in both
      strictEqual(errors?.length, expected.errors?.length, source);
      deepStrictEqual(withLocalIds(data, toLocal), withLocalIds(expected.data, toLocal), source);
      const planned = global.planned(source, { ...variables });
      if (planned !== undefined) deepStrictEqual(planned, data, source);
      if (errors === undefined) count.all++;
      count.planned += planned === undefined ? 0 : 1;
    }
    count.changed += encoded.changed > 0 ? 1 : 0;
  }
}

import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { buildSchema, type ExecutionResult, type GraphQLSchema, parse, validate } from "graphql";
import { Draw } from "./draw.ts";
import { drawOperation } from "./draw_operation.ts";
import { drawSchema } from "./draw_schema.ts";
import { drawRecord, drawWorld } from "./draw_world.ts";
import { referenceAnswer } from "./reference.ts";
import { createSeededServer, type SeededServer } from "./seeded_server.ts";
import { toSdl } from "./to_sdl.ts";
import type { World } from "./world.ts";

/** The numbers that a scenario is drawn from. */
export interface Tapes {
  readonly schema: readonly number[];
  readonly records: readonly number[];
  /** Of each request, and of the write before it. */
  readonly steps: readonly (readonly number[])[];
}

const tape = (maxLength: number) =>
  fc.array(fc.noBias(fc.nat(9_999)), { maxLength, minLength: 0, size: "max" });

/** Scenarios: a schema, its records, and some requests with writes between them. */
export const scenarios: fc.Arbitrary<Tapes> = fc.record({
  schema: tape(300),
  records: tape(500),
  steps: fc.array(tape(200), { minLength: 1, maxLength: 12, size: "max" }),
});

/** Runs a scenario: each answer has to be that of the reference. */
export async function checkScenario({ schema, records, steps }: Tapes): Promise<void> {
  const spec = drawSchema(new Draw(schema));
  const world = drawWorld(new Draw(records), spec);
  const reference = buildSchema(toSdl(spec));
  using server = createSeededServer(world);
  for (const [index, step] of steps.entries()) {
    const draw = new Draw(step);
    if (index > 0) writeSome(draw, world, server);
    await checkAnswer(draw, world, { reference, server });
  }
}

async function checkAnswer(
  draw: Draw,
  world: World,
  { reference, server }: { reference: GraphQLSchema; server: SeededServer },
): Promise<void> {
  const operation = drawOperation(draw, world, reference);
  const document = parse(operation.source);
  const [invalid] = validate(reference, document);
  if (invalid !== undefined) {
    throw new Error(`Cannot use "${operation.source}": ${invalid.message}`);
  }
  const expected = referenceAnswer(world, reference, { document, ...operation });
  const actual = await server.answer(operation);
  try {
    deepStrictEqual(toPlain(actual), toPlain(expected));
  } catch (error) {
    const { source, variables } = operation;
    const message = error instanceof Error ? error.message : String(error);
    const texts = [
      toSdl(world.spec),
      source,
      JSON.stringify(variables),
      JSON.stringify(actual.errors),
    ];
    throw new Error(`${message}\n\n${texts.join("\n\n")}`, { cause: error });
  }
}

/** Data, and where errors are: their texts are for other tests. */
function toPlain({ data, errors = [] }: ExecutionResult): unknown {
  const paths = errors.map(({ path }) => path?.join(".") ?? "").sort();
  return JSON.parse(JSON.stringify({ data: data ?? null, paths }));
}

function writeSome(draw: Draw, world: World, server: SeededServer): void {
  const kind = draw.pick(["none", "update", "create", "destroy"] as const);
  if (kind === "none" || world.records.length === 0) return;
  const record = draw.pick(world.records);
  if (kind === "destroy") {
    world.records = world.records.filter((one) => one !== record);
    server.destroy(record);
    return;
  }
  const id = `new ${draw.int(0, 9_999)} ${world.records.length}`;
  const fresh = drawRecord(draw, world.spec, { typeName: record.typeName, id });
  if (kind === "create") {
    world.records = [...world.records, fresh];
    server.create(fresh);
  } else {
    Object.assign(record.attributes, fresh.attributes);
    server.update(record);
  }
}

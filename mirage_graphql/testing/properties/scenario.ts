import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { buildSchema, type ExecutionResult, type GraphQLSchema, parse, validate } from "graphql";
import { Draw } from "./draw.ts";
import { drawHost } from "./draw_host.ts";
import { drawOperation } from "./draw_operation.ts";
import { drawSchema } from "./draw_schema.ts";
import { drawWorld } from "./draw_world.ts";
import { drawWrite } from "./draw_write.ts";
import { referenceAnswer } from "./reference.ts";
import { createSeededServer, type SeededServer } from "./seeded_server.ts";
import { toSdl } from "./to_sdl.ts";
import type { World } from "./world.ts";

/** The numbers that a scenario is drawn from. */
export interface Tapes {
  readonly schema: readonly number[];
  readonly host: readonly number[];
  readonly records: readonly number[];
  /** The numbers for each request, and for the write before it. */
  readonly steps: readonly (readonly number[])[];
}

/** A tape of numbers, at most that long. */
export const tape = (maxLength: number): fc.Arbitrary<number[]> =>
  fc.array(fc.noBias(fc.nat(9_999)), { maxLength, minLength: 0, size: "max" });

/** Scenarios: a schema, its records, and some requests with writes between them. */
export const scenarios: fc.Arbitrary<Tapes> = fc.record({
  schema: tape(400),
  host: tape(60),
  records: tape(1_200),
  steps: fc.array(tape(300), { minLength: 1, maxLength: 12, size: "max" }),
});

/** Runs a scenario: each response has to be that of the reference. */
export async function checkScenario({ schema, host, records, steps }: Tapes): Promise<void> {
  const spec = drawSchema(new Draw(schema));
  const world = drawWorld(new Draw(records), spec);
  const reference = buildSchema(toSdl(spec));
  using server = createSeededServer(world, drawHost(new Draw(host), spec));
  for (const [index, step] of steps.entries()) {
    const draw = new Draw(step);
    if (index > 0) await drawWrite(draw, world, server, index);
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

/** Data, and the paths of errors; other tests check their messages. */
function toPlain({ data, errors = [] }: ExecutionResult): unknown {
  const paths = errors.map(({ path }) => path?.join(".") ?? "").sort();
  return JSON.parse(JSON.stringify({ data: data ?? null, paths }));
}

import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  buildSchema,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from "graphql";
import { edits } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { Draw } from "../testing/properties/draw.ts";
import { drawHost } from "../testing/properties/draw_host.ts";
import { type DrawnOperation, drawOperation } from "../testing/properties/draw_operation.ts";
import { drawSchema } from "../testing/properties/draw_schema.ts";
import { drawWorld } from "../testing/properties/draw_world.ts";
import { referenceAnswer } from "../testing/properties/reference.ts";
import { checkScenario, scenarios, tape, type Tapes } from "../testing/properties/scenario.ts";
import { createSeededServer, type SeededServer } from "../testing/properties/seeded_server.ts";
import { toSdl } from "../testing/properties/to_sdl.ts";
import type { World } from "../testing/properties/world.ts";

/** Valid documents over random schemas and data: graphql-js answers them the same way. */
export const documents: Surface = defineSurface<Tapes>({
  name: "graphql-documents",
  share: 0.05,
  open: () =>
    Promise.resolve({
      inputs: scenarios,
      check: checkScenario,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
});

/** A document that is nearly valid, and variables of any kind. */
interface Sent {
  readonly step: readonly number[];
  /** What changes the document's text. */
  readonly edit: (text: string) => string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What a schema and its records are drawn from: one of each for all documents of a run. */
const FIXED = Array.from({ length: 1_200 }, (_, at) => (at * 7_919) % 10_000);

/** Documents with errors: the mock reports those that graphql-js reports. */
export const invalidDocuments: Surface = defineSurface<Sent>({
  name: "graphql-invalid-documents",
  open: () => {
    const spec = drawSchema(new Draw(FIXED));
    const world = drawWorld(new Draw(FIXED), spec);
    const schema = buildSchema(toSdl(spec));
    const server = createSeededServer(world, drawHost(new Draw([]), spec));
    return Promise.resolve({
      inputs: fc.record({
        step: tape(60),
        edit: fc.oneof(fc.constant((text: string) => text), edits(), swapper()),
        variables: fc.dictionary(fc.constantFrom("v1", "v2", "v3", "if1", "x"), fc.jsonValue()),
      }),
      check: (sent) => checkDocument(sent, { world, schema, server }),
      [Symbol.asyncDispose]: () => {
        server[Symbol.dispose]();
        return Promise.resolve();
      },
    });
  },
});

interface Parts {
  readonly world: World;
  readonly schema: GraphQLSchema;
  readonly server: SeededServer;
}

async function checkDocument(sent: Sent, { world, schema, server }: Parts): Promise<void> {
  const drawn = drawOperation(new Draw(sent.step), world, schema);
  const operation = {
    source: sent.edit(drawn.source),
    variables: { ...drawn.variables, ...sent.variables },
  };
  const expected = reference(operation, world, schema);
  const actual = await server.answer(operation);
  if (expected === undefined) return ok((actual.errors ?? []).length > 0, "no error");
  deepStrictEqual(toPlain(actual), toPlain(expected), `${operation.source}\n${toSdl(world.spec)}`);
}

/** What graphql-js answers; `undefined` if the document is nested too deeply for it. */
function reference(
  { source, variables }: DrawnOperation,
  world: World,
  schema: GraphQLSchema,
): ExecutionResult | undefined {
  try {
    const document = parse(source);
    const errors = validate(schema, document);
    return errors.length > 0 ? { errors } : referenceAnswer(world, schema, { document, variables });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** Of errors of resolvers, which have a path, only that: other tests check their messages. */
function toPlain({ data, errors = [] }: ExecutionResult): unknown {
  const shown = errors.map(({ message, locations, path }) =>
    path === undefined ? { message, locations } : { path }
  );
  return JSON.parse(JSON.stringify({ data: data ?? null, errors: sortedBy(shown) }));
}

function sortedBy(values: readonly object[]): string[] {
  return values.map((value) => JSON.stringify(value)).sort();
}

const TOKENS = [
  ..."{ } ( ) : ! $ @ ... & | = [ ]".split(" "),
  ..."query mutation subscription fragment on true null include skip defer stream".split(" "),
  ...[
    "Query",
    "ID",
    "Int",
    "id",
    "label",
    "__typename",
    "__schema",
    "__type",
    '"',
    '"""',
    "#",
    "-1",
  ],
  ...["1e9", "99999999999", "k1", "v1", "if1", "Fragment1", "\ud800", '"\\ud800"', '"\\u{110000}"'],
];

/** Replaces, removes or repeats whole tokens. */
function swapper(): fc.Arbitrary<(text: string) => string> {
  const change = fc.record({
    at: fc.nat(400),
    token: fc.constantFrom("", ...TOKENS),
    keep: fc.boolean(),
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => (text) => {
    const tokens = text.match(/\w+|\.\.\.|"[^"]*"|\s+|[^\w\s]/g) ?? [];
    for (const { at, token, keep } of changes) {
      const place = at % Math.max(tokens.length, 1);
      tokens.splice(place, keep ? 0 : 1, ` ${token} `);
    }
    return tokens.join("");
  });
}

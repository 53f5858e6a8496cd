import { match, ok } from "node:assert/strict";
import fc from "fast-check";
import { buildSchema, type GraphQLSchema, validateSchema } from "graphql";
import { createServer } from "miragejs";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { createFetchHandler, type FetchHandler } from "../mod.ts";
import { loadMock } from "../serving/load_mock.ts";
import { ServeError } from "../serving/serve_error.ts";
import { Draw } from "../testing/properties/draw.ts";
import { drawSchema } from "../testing/properties/draw_schema.ts";
import { tape } from "../testing/properties/scenario.ts";
import { toSdl } from "../testing/properties/to_sdl.ts";
import { selectionOf } from "../testing/selection_of.ts";
import { checkResponse } from "./mock.ts";

/** A schema, and who reads it. */
interface Sent {
  readonly text: string;
  readonly reader: "handler" | "common handler" | "server";
}

const NAME = fc.constantFrom(
  "A",
  "B",
  "Query",
  "Mutation",
  "ABEdge",
  "AConnection",
  "PageInfo",
  "Node",
);
const FIELD_NAME = fc.constantFrom(
  "id",
  "a",
  "b",
  "as",
  "aId",
  "bs",
  "name",
  "node",
  "edges",
  "cursor",
);
const LEAF = fc.constantFrom("ID", "Int", "String", "Boolean", "Float", "Kind", "Other");
const TYPE = fc.tuple(
  fc.oneof(NAME, LEAF),
  fc.constantFrom("T", "T!", "[T]", "[T!]!", "[[T]]", "[[T!]!]!"),
).map(([name, form]) => form.replace("T", name));
const VALUE = fc.constantFrom("", "", " = 1", ' = "a"', " = null", " = [1]", " = {a: 1}", " = RED");
const ARGUMENT = fc.tuple(
  fc.constantFrom("id", "first", "after", "where", "filter", "input", "orderBy", "a"),
  fc.oneof(TYPE, fc.constantFrom("Input", "Input!", "[Input!]")),
  VALUE,
).map(([name, type, value]) => `${name}: ${type}${value}`);
const DIRECTIVE = fc.constantFrom("", "", "", " @deprecated", " @none", ' @specifiedBy(url: "a")');
const FIELD = fc.tuple(FIELD_NAME, fc.array(ARGUMENT, { maxLength: 2 }), TYPE, DIRECTIVE).map((
  [name, args, type, directive],
) => `${name}${args.length === 0 ? "" : `(${args.join(" ")})`}: ${type}${directive}`);
const FIELDS = fc.uniqueArray(FIELD, {
  minLength: 1,
  maxLength: 4,
  selector: (field) => /^\w+/.exec(field)?.[0],
}).map((fields) => `{ ${fields.join(" ")} }`);
const INPUTS = fc.array(ARGUMENT, { minLength: 1, maxLength: 3 }).map((all) =>
  `{ ${all.join(" ")} }`
);
const DEFINITION = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(NAME, fc.constantFrom("", "", " implements Node"), FIELDS).map((
      [name, more, fields],
    ) => `type ${name}${more} ${fields}`),
  },
  fc.tuple(NAME, FIELDS).map((parts) => `interface ${parts.join(" ")}`),
  fc.tuple(NAME, NAME, NAME).map(([name, one, two]) => `union ${name} = ${one} | ${two}`),
  fc.constantFrom("enum Kind { RED GREEN }", "scalar Other", "enum Kind { true }", "scalar Upload"),
  INPUTS.map((fields) => `input Input ${fields}`),
  fc.tuple(NAME, FIELDS).map((parts) => `extend type ${parts.join(" ")}`),
  fc.tuple(NAME, NAME).map(([one, two]) => `schema { query: ${one} mutation: ${two} }`),
  fc.constantFrom(
    "directive @none on FIELD_DEFINITION",
    '"""text"""',
    "type Subscription { a: A }",
  ),
);
const SMALL = fc.array(DEFINITION, { minLength: 1, maxLength: 7 }).map((definitions) =>
  [
    "type Query { a: A as: [A!]! aConnection: AConnection }",
    "type A { id: ID! name: String b: B }",
    "type B { id: ID! as: [A!]! }",
    ...definitions,
  ]
    .filter((definition, at, all) =>
      at > 2 ||
      !all.slice(3).some((other) => other.startsWith(/^\w+ \w+/.exec(definition)?.[0] ?? ""))
    )
    .join("\n")
);
const DRAWN = tape(200).map((numbers) => toSdl(drawSchema(new Draw(numbers))));

/** Schemas: a mock answers from each valid one, or says what is wrong with it. */
export const schemas: Surface = defineSurface<Sent>({
  name: "graphql-schemas",
  share: 0.2,
  open: () => {
    // The parts of a schema that a mock ignores are warned of.
    const { warn } = console;
    console.warn = () => {};
    return Promise.resolve({
      inputs: fc.record({
        text: fc.oneof({ weight: 4, arbitrary: SMALL }, DRAWN, edited(DRAWN), edited(SMALL)),
        reader: fc.constantFrom<Sent["reader"]>("handler", "common handler", "server"),
      }),
      check: checkSchema,
      [Symbol.asyncDispose]: () => {
        console.warn = warn;
        return Promise.resolve();
      },
    });
  },
});

async function checkSchema({ text, reader }: Sent): Promise<void> {
  const schema = readByGraphQLJs(text);
  const mock = await (reader === "server" ? load(text) : create(text, reader));
  if (typeof mock === "string") {
    // A valid schema may still be one that a mock can't follow.
    if (schema !== undefined) match(mock, /^(?:[^:]*: )?Cannot .*[^.]$/s);
    return;
  }
  using _ = mock;
  const query = schema?.getQueryType();
  const selection = query ? selectionOf(query, 3) : " { __typename }";
  const asked = ["{ __typename }", "{ __schema { types { name fields { name } } } }", selection];
  for (const source of asked) {
    const response = await mock.respond(
      new Request("http://mock.test/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: source }),
      }),
    );
    await checkResponse(response);
  }
}

/** The schema, if graphql-js takes it. */
function readByGraphQLJs(text: string): GraphQLSchema | undefined {
  try {
    const schema = buildSchema(text);
    return validateSchema(schema).length === 0 ? schema : undefined;
  } catch {
    return undefined;
  }
}

interface LoadedMock extends Disposable {
  respond: FetchHandler | ((request: Request) => Promise<Response>);
}

function create(text: string, reader: Sent["reader"]): LoadedMock | string {
  const server = createServer({ environment: "test" });
  const conventions = reader === "handler" ? "strict" : "common";
  try {
    const respond = createFetchHandler(text, server.schema, { conventions });
    return { respond, [Symbol.dispose]: () => server.shutdown() };
  } catch (error) {
    server.shutdown();
    return reasonOf(error);
  }
}

/** As the command does: every fault of a file is a `ServeError`. */
async function load(text: string): Promise<LoadedMock | string> {
  try {
    const { respond, close } = await loadMock([{ path: "schema.graphql", text }]);
    return { respond, [Symbol.dispose]: close };
  } catch (error) {
    if (!(error instanceof ServeError)) throw error;
    return reasonOf(error);
  }
}

/** Why a schema is rejected, which is not the message of a failure. */
function reasonOf(error: unknown): string {
  ok(error instanceof Error);
  const isFailure = error instanceof TypeError &&
    /undefined|null|not a function/.test(error.message);
  if (isFailure || error instanceof ReferenceError) throw error;
  ok(error.message !== "", "an empty message");
  return error.message;
}

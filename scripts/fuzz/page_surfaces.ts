import { deepStrictEqual, match, ok } from "node:assert/strict";
import axios from "axios";
import fc from "fast-check";
import { api, SchemaError, type StandardSchemaV1 } from "../../api_wrapper/schema.ts";
import { parseAddress, toAddress, toSharable } from "../../console/schema/sharable.ts";
import { TerminalBuffer } from "../../console/terminal/terminal_buffer.ts";
import { decodeFragment, encodeFragment } from "../../site/playground/page/link/link_codec.ts";
import { edited } from "../../test_support/fuzz/edited.ts";
import {
  defineSurface,
  type Surface,
  type SurfaceOptions,
} from "../../test_support/fuzz/surface.ts";

/** A surface that needs nothing to be opened. */
function pure<Input>(
  { inputs, check, ...options }: Omit<SurfaceOptions<Input>, "open"> & {
    readonly inputs: fc.Arbitrary<Input>;
    readonly check: (input: Input) => void | Promise<void>;
  },
): Surface {
  const subject = { inputs, check, [Symbol.asyncDispose]: () => Promise.resolve() };
  return defineSurface({ ...options, open: () => Promise.resolve(subject) });
}

const KEY = fc.constantFrom("path", "env", "stdin", "token", "API_KEY", "commands", "__proto__");
const { args: ARGUMENTS } = fc.letrec((tie) => ({
  args: fc.dictionary(KEY, fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 2 }), tie("args")), {
    maxKeys: 4,
  }),
}));
const UNSHARED = /"(?:env|stdin|token|API_KEY)":/;

/** The arguments in an address of the console: what it wrote, without secrets, and no failure. */
const consoleAddresses = pure<{ readonly args: unknown; readonly text: string }>({
  name: "console-addresses",
  inputs: fc.record({
    args: ARGUMENTS,
    text: fc.oneof(
      edited(ARGUMENTS.map((args) => encodeURIComponent(JSON.stringify(args)))),
      fc.string({ unit: "binary" }),
      fc.json(),
    ),
  }),
  check: ({ args, text }) => {
    const given = JSON.parse(JSON.stringify(args));
    const address = toAddress(given);
    if (address !== undefined) {
      const found = parseAddress(address);
      deepStrictEqual(JSON.stringify(found), JSON.stringify(toSharable(given)));
      ok(!UNSHARED.test(JSON.stringify(found)), `a secret is in ${address}`);
    }
    const other = parseAddress(text);
    if (other === undefined) return;
    ok(typeof other === "object" && other !== null && !Array.isArray(other), text);
    toAddress(other);
  },
});

const OUTPUT = fc.array(
  fc.oneof(
    fc.string({
      unit: fc.constantFrom("a", "é", "\u{1f511}", " ", "\t", "\0", "\x07"),
      maxLength: 9,
    }),
    fc.constantFrom(
      ...["\n", "\r", "\r\n", "\b", "\x1b", "\x1b[31m", "\x1b[0m", "\x1b[38;5;", "\x1b[1;2;3", "m"],
      ...["\x1b]0;title\x07", "\x1b]", "\x1b\\", "\x1b[2K", "\x1b[", "\x9b1m", "\x1bP", "?25l"],
      "\x1b[" + "1;".repeat(200) + "m",
    ),
  ),
  { maxLength: 12 },
).map((all) => all.join(""));

/** Output in a terminal of the console: it is shown the same wherever its pieces were cut. */
const consoleTerminals = pure<{ readonly output: string; readonly cuts: readonly number[] }>({
  name: "console-terminals",
  inputs: fc.record({ output: OUTPUT, cuts: fc.array(fc.nat(200), { maxLength: 6 }) }),
  check: ({ output, cuts }) => {
    const whole = new TerminalBuffer(100_000);
    whole.write(output, "stdout");
    const parts = new TerminalBuffer(100_000);
    const ends = [...cuts.map((cut) => cut % (output.length + 1)), output.length];
    let start = 0;
    for (const end of ends.toSorted((a, b) => a - b)) {
      parts.write(output.slice(start, end), "stdout");
      start = end;
    }
    deepStrictEqual(parts.text(), whole.text());
    ok(!whole.text().includes("\x1b"), "an escape sequence is shown as it is");
  },
});

const RECORDS = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })), {
  maxLength: 2,
});
const STATE = fc.record({
  schema: fc.string(),
  operation: fc.string({ unit: "binary" }),
  tables: fc.dictionary(fc.constantFrom("people", "__proto__", ""), RECORDS),
  resolvers: fc.string(),
}, { noNullPrototype: true });

/** Links of the playground: what they carry comes back, and a damaged one says so. */
const playgroundLinks = pure({
  name: "playground-links",
  share: 0.5,
  inputs: fc.record({
    state: STATE,
    edit: edited(fc.constant("")),
    at: fc.nat(300),
    other: fc.oneof(fc.string({ unit: "binary" }), fc.base64String(), fc.json()),
  }),
  check: async ({ state, edit, at, other }) => {
    const fragment = await encodeFragment(state);
    deepStrictEqual(JSON.stringify(await decodeFragment(`#${fragment}`)), JSON.stringify(state));
    const damaged = fragment.slice(0, at % fragment.length) + edit + fragment.slice(at % 7);
    const foreign = await encodeFragment(Object(other));
    for (const text of [damaged, `s=${other}`, other, foreign]) {
      try {
        const found = await decodeFragment(text);
        if (found !== undefined) deepStrictEqual(typeof found.schema, "string");
      } catch (error) {
        ok(error instanceof TypeError || error instanceof RangeError, `another error: ${error}`);
        match(error.message, /^Cannot open .*[^.]$/s);
      }
    }
  },
});

const PATH = fc.array(
  fc.oneof<fc.Arbitrary<PropertyKey | StandardSchemaV1.PathSegment>[]>(
    fc.string(),
    fc.nat(),
    fc.constantFrom<PropertyKey>(Symbol("a"), Symbol.iterator),
    fc.record({ key: fc.oneof(fc.string(), fc.constantFrom<PropertyKey>(Symbol("b"))) }),
  ),
  { maxLength: 3 },
);
const ISSUE = fc.record({ message: fc.string(), path: PATH }, { requiredKeys: ["message"] });
const RESULT: fc.Arbitrary<StandardSchemaV1.Result<unknown>> = fc.oneof(
  fc.record({ issues: fc.array(ISSUE, { maxLength: 3 }) }),
  fc.record({ value: fc.anything(), issues: fc.constant(undefined) }, { requiredKeys: ["value"] }),
);

/** What a library of schemas may answer (Standard Schema, "StandardSchemaV1.Result"). */
const standardSchemas = pure<{
  readonly result: StandardSchemaV1.Result<unknown>;
  readonly isLate: boolean;
}>({
  name: "wrapper-schemas",
  inputs: fc.record({ result: RESULT, isLate: fc.boolean() }),
  check: async ({ result: given, isLate }) => {
    const schema: StandardSchemaV1 = {
      "~standard": {
        version: 1,
        vendor: "fuzz",
        validate: () => isLate ? Promise.resolve(given) : given,
      },
    };
    const instance = axios.create({
      adapter: (config) =>
        Promise.resolve({ data: "sent", status: 200, statusText: "", headers: {}, config }),
    });
    try {
      const { data } = await api("/posts", instance).get(7, { schema });
      ok(given.issues === undefined, "it takes what the schema refuses");
      deepStrictEqual(data, given.value);
    } catch (error) {
      if (given.issues === undefined) throw error;
      ok(error instanceof SchemaError, `another error: ${error}`);
      match(error.message, /^Cannot use the response of get "\/posts\/7": /);
      deepStrictEqual([error.issues, error.response.data], [given.issues, "sent"]);
    }
  },
});

/** What pages and the wrapper read of links, outputs and schemas. */
export const PAGE_SURFACES: readonly Surface[] = [
  consoleAddresses,
  consoleTerminals,
  playgroundLinks,
  standardSchemas,
];

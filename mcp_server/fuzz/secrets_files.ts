import { deepStrictEqual, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { AccessFileError } from "../access/access_file.ts";
import { parseSecrets, type Secrets } from "../access/parse_secrets.ts";
import { SecretMask } from "../access/secret_mask.ts";

/** A file, and what a command writes that has its values: their indexes, or other text. */
interface Leak {
  readonly text: string;
  readonly output: readonly (number | string)[];
  /** Where the output is cut. */
  readonly cuts: readonly number[];
}

const NAME = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("A", "B", "NPM_TOKEN", "_9") },
  { weight: 1, arbitrary: fc.constantFrom("MCP_X", "PATH", "LD_PRELOAD", "", "a b", "__proto__") },
);
/** Few letters, so that values overlap, contain and begin each other; no mask can look like one. */
const LETTERS = fc.constantFrom("a", "b", '"', "'", "\\", "\n", " ", "é", "\u{1f511}");
const VALUE = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: LETTERS, minLength: 8, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.jsonValue()) },
);
const FILE = fc.array(fc.tuple(NAME, VALUE), { maxLength: 4 })
  .map((secrets) => JSON.stringify({ secrets: Object.fromEntries(secrets) }));
const LEAK = fc.record({
  text: fc.oneof({ weight: 6, arbitrary: FILE }, edited(FILE), fc.json()),
  output: fc.array(fc.oneof(fc.nat(3), fc.string({ unit: LETTERS, maxLength: 20 }))),
  cuts: fc.array(fc.nat(), { maxLength: 6 }),
}, { noNullPrototype: true });

/** Reads a secrets file, and hides its values in an output; or says what is wrong, without a value. */
export const secretsFiles: Surface = defineSurface<Leak>({
  name: "mcp-secrets-files",
  open: () =>
    Promise.resolve({
      inputs: LEAK,
      check: checkLeak,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
});

function checkLeak({ text, output, cuts }: Leak): void {
  const secrets = readSecrets(text);
  if (secrets === undefined || secrets.size === 0) return;
  const values = [...secrets.values()];
  const written = output.map((part) => typeof part === "string" ? part : values[part] ?? "").join(
    "",
  );
  const bytes = new TextEncoder().encode(written);
  const mask = new SecretMask(secrets);
  const whole = new TextDecoder().decode(mask.bytes(bytes));
  for (const value of values) ok(!whole.includes(value.trim()), `"${value}" is in "${whole}"`);
  const stream = mask.stream();
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]
    .toSorted((a, b) => a - b);
  const pieces = ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end));
  const shown = [...pieces.map((piece) => stream.push(piece).slice()), stream.end()];
  deepStrictEqual(
    new TextDecoder().decode(new Uint8Array(shown.flatMap((part) => [...part]))),
    whole,
  );
}

function readSecrets(text: string): Secrets | undefined {
  try {
    return parseSecrets(text);
  } catch (error) {
    if (!(error instanceof AccessFileError)) throw error;
    match(error.message, /^Cannot use .*[^.]$/s);
    ok(error.message.length < 600, "the message repeats a value that is too long");
    return undefined;
  }
}

import * as fc from "fast-check";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { SecretMask } from "./secret_mask.ts";

const encoder = new TextEncoder();
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function maskOf(secrets: Readonly<Record<string, string>>): SecretMask {
  return new SecretMask(new Map(Object.entries(secrets)));
}

/** Masks a stream that arrives in these pieces. */
function inPieces(mask: SecretMask, pieces: readonly Uint8Array[]): Uint8Array {
  const stream = mask.stream();
  const shown = pieces.map((piece) => {
    // The reader's buffer is filled again after each piece.
    const buffer = piece.slice();
    const masked = stream.push(buffer).slice();
    buffer.fill(0);
    return masked;
  });
  return concat([...shown, stream.end()]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = [...at.map((index) => index % (bytes.length + 1)), bytes.length];
  return ends.toSorted((a, b) => a - b)
    .map((end, index, sorted) => bytes.subarray(sorted[index - 1] ?? 0, end));
}

const CASES: readonly [what: string, secrets: Record<string, string>, text: string, string][] = [
  ["a value", { A: "npm_12345678" }, "token=npm_12345678;", "token=[A];"],
  ["two in a row", { A: "12345678" }, "1234567812345678", "[A][A]"],
  ["none", { A: "npm_12345678" }, "npm_1234567", "npm_1234567"],
  ["one within another", { A: "12345678", B: "x12345678y" }, "x12345678y 12345678", "[B] [A]"],
  ["one that begins another", { A: "12345678", B: "123456789" }, "123456789 12345678", "[B] [A]"],
  ["two that overlap", { A: "abcdefgh", B: "efghijkl" }, "-abcdefghijkl-", "-[A][B]-"],
  ["one that overlaps itself", { A: "abababab" }, "abababababab.", "[A]."],
  ["two with the same value", { A: "12345678", B: "12345678" }, "12345678", "[A]"],
  ["characters of several bytes", { A: "пароль-тут" }, "это пароль-тут!", "это [A]!"],
  ["space around it", { A: " 12345678\n" }, "<12345678>", "<[A]>"],
  ["quoted in JSON", { A: 'pass"word\\1' }, '{"a":"pass\\"word\\\\1"}', '{"a":"[A]"}'],
  ["in JSON of PHP", { A: "wJalr/XUt+nFEMI" }, '{"a":"wJalr\\/XUt+nFEMI"}', '{"a":"[A]"}'],
  ["in JSON of Python", { A: "pässwörd" }, '"p\\u00e4ssw\\u00f6rd"', '"[A]"'],
  ["in JSON of Go", { A: "a<b>&c-12" }, '"a\\u003cb\\u003e\\u0026c-12"', '"[A]"'],
  ["in a form", { A: "it's a secret!" }, "p=it%27s+a+secret%21&q=1", "p=[A]&q=1"],
  ["in a URL with small letters", { A: "p@ss/word" }, "u:p%40ss%2fword@h", "u:[A]@h"],
  ["in a path of Python", { A: "p@ss/word!" }, "/p%40ss/word%21/", "/[A]/"],
  ["by export -p", { A: 'pa$s"word' }, 'declare -x A="pa\\$s\\"word"', 'declare -x A="[A]"'],
  ["by printf %q", { A: "pa$s wörd!#," }, "pa\\$s\\ wörd\\!#\\,", "[A]"],
  ["in a URL", { A: "p@ss/word" }, "https://u:p%40ss%2Fword@h", "https://u:[A]@h"],
  ["quoted for a shell", { A: "it's-secret" }, "+ curl 'it'\\''s-secret'", "+ curl '[A]'"],
  ["on a terminal", { A: "line-one\nline-two" }, "line-one\r\nline-two\r\n", "[A]\r\n"],
  [
    "line by line",
    { A: "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhk\nAAAAB3NzaC1yc2EAAA\n-----END KEY-----" },
    "  -----BEGIN KEY-----\n  MIIEvQIBADANBgkqhk\n  AAAAB3NzaC1yc2EAAA\n",
    "  -----BEGIN KEY-----\n  [A]\n  [A]\n",
  ],
];

for (const [what, secrets, text, expected] of CASES) {
  Deno.test(`SecretMask replaces ${what}, also byte by byte`, () => {
    const mask = maskOf(secrets);
    strictEqual(mask.text(text), expected);
    const bytes = encoder.encode(text);
    strictEqual(decode(inPieces(mask, [...bytes].map((byte) => Uint8Array.of(byte)))), expected);
  });
}

/** Values of few letters, which overlap, contain and begin each other. */
const VALUE = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 8, maxLength: 12 });
const SECRETS = fc.array(VALUE, { minLength: 1, maxLength: 5 })
  .map((values) => Object.fromEntries(values.map((value, at) => [`S${at}`, value])));
const TEXT = fc.array(
  fc.oneof(VALUE, fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 20 })),
  { maxLength: 10 },
).map((parts) => parts.join(""));

/** What is masked by definition: every index that is part of an occurrence of a value. */
function coveredBy(secrets: Readonly<Record<string, string>>, text: string): boolean[] {
  const covered = Array<boolean>(text.length).fill(false);
  for (const value of Object.values(secrets)) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
      covered.fill(true, at, at + value.length);
    }
  }
  return covered;
}

Deno.test("SecretMask leaves exactly what is no part of a value", () => {
  fc.assert(fc.property(SECRETS, TEXT, (secrets, text) => {
    const covered = coveredBy(secrets, text);
    const left = [...text].filter((_, at) => !covered[at]).join("");
    const masked = maskOf(secrets).text(text);
    strictEqual(masked.replaceAll(/\[S\d\]/g, ""), left);
    for (const value of Object.values(secrets)) ok(!masked.includes(value));
    if (left === text) strictEqual(masked, text);
  }));
});

Deno.test("SecretMask masks a stream as it masks the whole, wherever it is cut", () => {
  const cuts = fc.array(fc.nat(), { maxLength: 8 });
  fc.assert(fc.property(SECRETS, TEXT, cuts, (secrets, text, at) => {
    const mask = maskOf(secrets);
    const bytes = encoder.encode(text);
    deepStrictEqual(inPieces(mask, cut(bytes, at)), mask.bytes(bytes).slice());
  }));
});

Deno.test("SecretMask leaves binary data as it is, and finds values within", () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(fc.property(bytes, bytes, fc.array(fc.nat(), { maxLength: 4 }), (one, other, at) => {
    const mask = maskOf({ A: "a-long-secret" });
    deepStrictEqual(inPieces(mask, cut(one, at)), one);
    const secret = concat([one, encoder.encode("a-long-secret"), other]);
    deepStrictEqual(inPieces(mask, cut(secret, at)), concat([one, encoder.encode("[A]"), other]));
  }));
});

Deno.test("SecretMask holds back only what may be the beginning of a value, up to the end", () => {
  const stream = maskOf({ A: "npm_12345678" }).stream();
  const push = (text: string) => decode(stream.push(encoder.encode(text)));
  const pushed = ["$ ", "user n", "pm", "_1", "23"].map(push);
  deepStrictEqual(pushed, ["$ ", "user ", "", "", ""]);
  strictEqual(decode(stream.end()), "npm_123");
  strictEqual(decode(stream.end()), "");
});

Deno.test("SecretMask.json() masks texts and keys at any depth, and keeps what has none", () => {
  const mask = maskOf({ A: "12345678" });
  const value = { a: [1, null, "x12345678", { "12345678": true }], b: "12345678" };
  deepStrictEqual(mask.json(value), { a: [1, null, "x[A]", { "[A]": true }], b: "[A]" });
  deepStrictEqual(mask.json({ n: [12345678, -912345678.5, 1] }), { n: ["[A]", "-9[A].5", 1] });
  const other = { a: [1, null, "1234567"], b: { c: "x" } };
  strictEqual(mask.json(other), other);
});

Deno.test("SecretMask finds each of a thousand values among many that begin alike", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `S${at}`);
  const secrets = Object.fromEntries(names.map((name) => [name, `ghp_${name.padEnd(12, "x")}`]));
  const mask = maskOf(secrets);
  for (const [name, value] of Object.entries(secrets)) {
    strictEqual(mask.text(`token ${value};`), `token [${name}];`);
  }
});

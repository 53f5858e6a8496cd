import { deepStrictEqual, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { AccessFileError } from "../access/access_file.ts";
import { type CallerEntry, parseCallers } from "../access/parse_callers.ts";
import { edited } from "../../test_support/fuzz/edited.ts";

const HEX = fc.constantFrom(..."0123456789abcdefABCDEF");
const DIGEST = fc.oneof(
  fc.string({ unit: HEX, minLength: 64, maxLength: 64 }),
  fc.constantFrom("", "0", "g".repeat(64)),
);
const NAME = fc.oneof(
  fc.constantFrom("ann", "a.b@c", "default", "nobody", "__proto__", "constructor", "toString"),
  fc.string({ maxLength: 70 }),
);
const PATTERNS = fc.array(
  fc.oneof(fc.constantFrom("*", "read-file", "/srv/**", "/", "/a/../b", "web", "!"), fc.string()),
  { maxLength: 3 },
);
const NUMBER = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1, 1.5, 2 ** 53, 1e300));
const CALLER = fc.record({
  tokenSha256: fc.oneof(DIGEST, fc.array(DIGEST, { maxLength: 3 })),
  subject: fc.string(),
  tools: PATTERNS,
  hosts: PATTERNS,
  databases: fc.dictionary(fc.string(), fc.constantFrom("ro", "rw", "RW", "")),
  paths: PATTERNS,
  secrets: PATTERNS,
  maxCalls: NUMBER,
  maxJobs: NUMBER,
  maxTimeoutMs: NUMBER,
  admin: fc.constantFrom<unknown>(true, false, 1, "true", null),
  runAs: fc.string({ maxLength: 35 }),
}, { requiredKeys: ["tokenSha256"], noNullPrototype: true });
const KEYS = [
  ..."tokenSha256 subject tools hosts databases paths secrets maxCalls maxJobs maxTimeoutMs".split(
    " ",
  ),
  ...["admin", "runAs", "__proto__", "other"],
];
const WRONG = fc.tuple(CALLER, fc.constantFrom(...KEYS), fc.jsonValue()).map((
  [caller, key, value],
) => ({ ...caller, [key]: value }));
const VALID = fc.record({
  tokenSha256: fc.string({ unit: HEX, minLength: 64, maxLength: 64 }),
  tools: fc.subarray(["*", "read-file", "job-*", "?"]),
  hosts: fc.subarray(["*", "web", "[::1]:22"]),
  databases: fc.dictionary(fc.string(), fc.constantFrom("ro", "rw")),
  paths: fc.subarray(["/srv/**", "/", "/a b/*"]),
  secrets: fc.subarray(["*", "NPM_*", "A"]),
  maxCalls: fc.integer({ min: 1, max: 65_536 }),
  admin: fc.boolean(),
}, { requiredKeys: ["tokenSha256"], noNullPrototype: true });
const ENTRY = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom("ann", "bob", "a.b@c-D_9"), VALID) },
  { weight: 1, arbitrary: fc.tuple(NAME, VALID) },
  { weight: 1, arbitrary: fc.tuple(NAME, CALLER) },
  { weight: 1, arbitrary: fc.tuple(NAME, WRONG) },
);
const FILE = fc.array(ENTRY, { maxLength: 4 })
  .map((callers) => JSON.stringify({ callers: Object.fromEntries(callers) }));

/** Reads a callers file, or says what is wrong with it without repeating a secret. */
export const callersFiles: Surface = defineSurface<string>({
  name: "mcp-callers-files",
  open: () =>
    Promise.resolve({
      inputs: fc.oneof(FILE, edited(FILE), fc.json(), fc.string({ unit: "binary" })),
      check: checkFile,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
});

function checkFile(text: string): void {
  let entries: readonly CallerEntry[];
  try {
    entries = parseCallers(text);
  } catch (error) {
    if (!(error instanceof AccessFileError)) throw error;
    match(error.message, /^Cannot use .*[^.]$/s);
    ok(error.message.length < 600, "the message repeats a value that is too long");
    const [digest] = /[0-9a-fA-F]{64}/.exec(error.message) ?? [];
    deepStrictEqual(digest, undefined, "the message repeats a digest");
    return;
  }
  const { callers } = JSON.parse(text);
  deepStrictEqual(entries.map(({ caller }) => caller.name), Object.keys(callers));
  for (const { caller: { name, rights }, digests, subject } of entries) {
    const written = Object.assign(Object.create(null), callers[name]);
    ok(digests.length > 0 || subject !== undefined, name);
    deepStrictEqual(digests, [written.tokenSha256 ?? []].flat().map(lowered));
    deepStrictEqual(rights?.tools, written.tools ?? [], name);
    deepStrictEqual({ ...rights?.databases }, written.databases ?? {}, name);
    deepStrictEqual(rights?.admin, written.admin ?? false, name);
  }
}

function lowered(text: string): string {
  return text.toLowerCase();
}

import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { parseCheckArgs } from "./check_args.ts";

Deno.test("parseCheckArgs() reads files and options in any order", () => {
  const args = ["--strict", "src", "--schema", "a.graphql", "b.ts", "--schema=b.graphql", "--json"];
  deepStrictEqual(parseCheckArgs([...args, "--stubs", "stubs.ts", "--config", "mock.ts"]), {
    sources: ["src", "b.ts"],
    schema: ["a.graphql", "b.graphql"],
    config: "mock.ts",
    stubs: "stubs.ts",
    strict: true,
    json: true,
  });
});

Deno.test("parseCheckArgs() takes the standard output for stubs, and the schema of a config file", () => {
  deepStrictEqual(parseCheckArgs(["src", "--config", "mock.ts", "--stubs", "-"]), {
    sources: ["src"],
    schema: [],
    config: "mock.ts",
    stubs: "-",
    strict: false,
    json: false,
  });
});

Deno.test("parseCheckArgs() returns undefined if help is requested", () => {
  strictEqual(parseCheckArgs(["src", "--help"]), undefined);
  strictEqual(parseCheckArgs(["-h"]), undefined);
});

const REFUSED: readonly [args: readonly string[], message: RegExp][] = [
  [[], /^Cannot check: name the files of the app, or see --help$/],
  [["src"], /^Cannot check: name the schema, --schema schema\.graphql, or see --help$/],
  [["src", "--schema", ""], /^Cannot check: an argument is empty$/],
  [["src", "--schema"], /^Cannot use the arguments: .*--schema.* argument missing; see --help$/],
  [["src", "--shema", "a"], /^Cannot use the arguments: Unknown option '--shema'; see --help$/],
  [["src", "--schema", "a", "--strict=yes"], /^Cannot use the arguments: .*--strict/],
  [["src", "--schema", "a", "--json", "--stubs", "-"], /^Cannot use --stubs "-" with --json: /],
];

for (const [args, message] of REFUSED) {
  Deno.test(`parseCheckArgs() rejects ${JSON.stringify(args)}`, () => {
    throws(() => parseCheckArgs(args), { name: "ServeError", message });
  });
}

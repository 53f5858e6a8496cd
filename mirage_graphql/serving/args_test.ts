import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { parseServeArgs } from "./args.ts";

const defaults = {
  schemaFile: "a.graphql",
  seedFile: undefined,
  port: 4000,
  hostname: "127.0.0.1",
};

Deno.test("parseServeArgs() reads the file and its options, in any order and form", () => {
  const cases: [string, object][] = [
    ["a.graphql", {}],
    ["a.graphql --port 0", { port: 0 }],
    ["--port=8080 a.graphql", { port: 8080 }],
    ["--host 0.0.0.0 a.graphql --seed b.json", { hostname: "0.0.0.0", seedFile: "b.json" }],
    ["a.graphql --seed=x=y.json", { seedFile: "x=y.json" }],
  ];
  for (const [args, expected] of cases) {
    deepStrictEqual(parseServeArgs(args.split(" ")), { ...defaults, ...expected }, args);
  }
});

Deno.test("parseServeArgs() has nothing to serve if help is asked for", () => {
  strictEqual(parseServeArgs(["a.graphql", "--help"]), undefined);
  strictEqual(parseServeArgs(["-h"]), undefined);
});

Deno.test("parseServeArgs() rejects unknown options", () => {
  const cases: [string, string][] = [
    ["", "Cannot serve: name the file with the GraphQL schema, or see --help"],
    ["a b", 'Cannot serve "b" too: one file has the whole schema'],
    [
      "a --watch",
      'Cannot use the option "--watch": there are --seed, --port, --host and --help',
    ],
    ["a -p 1", 'Cannot use the option "-p": there are --seed, --port, --host and --help'],
    ["a --seed", "Cannot use --seed: it needs a value"],
    ["a --seed=", "Cannot use --seed: it needs a value"],
    ["a --seed --port 1", "Cannot use --seed: it needs a value"],
    ["a --port 1 --port 2", "Cannot use --port twice"],
    ["a --port x", 'Cannot listen on port "x": it must be 0 to 65535'],
    ["a --port 65536", 'Cannot listen on port "65536": it must be 0 to 65535'],
    ["a --port=-1", 'Cannot listen on port "-1": it must be 0 to 65535'],
  ];
  for (const [args, message] of cases) {
    const list = args.split(" ").filter((arg) => arg !== "");
    throws(() => parseServeArgs(list), { name: "ServeError", message }, args);
  }
});

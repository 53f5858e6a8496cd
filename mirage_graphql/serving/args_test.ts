import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { parseServeArgs } from "./args.ts";

const NOTHING = { given: { schema: ["a.graphql"] }, seedFile: undefined, configFile: undefined };

function given(others: object): object {
  return { ...NOTHING, given: { ...NOTHING.given, ...others } };
}

Deno.test("parseServeArgs() reads the sources and the options, in any order and form", () => {
  const cases: [string, object][] = [
    ["a.graphql", NOTHING],
    ["a.graphql --port 0", given({ port: 0 })],
    ["--port=8080 a.graphql", given({ port: 8080 })],
    ["--host 0.0.0.0 a.graphql --seed b.json", {
      ...given({ host: "0.0.0.0" }),
      seedFile: "b.json",
    }],
    ["a.graphql --seed=x=y.json", { ...NOTHING, seedFile: "x=y.json" }],
    ["a.graphql schema b/**/*.gql", given({ schema: ["a.graphql", "schema", "b/**/*.gql"] })],
    ["--config c.ts", { ...NOTHING, given: {}, configFile: "c.ts" }],
    ["a.graphql --count 50", given({ count: 50 })],
    ["a.graphql --count Post=50 --count Tag=0", given({ count: { Post: 50, Tag: 0 } })],
    ["a.graphql --batch --latency 250", given({ batch: true, latency: 250 })],
    [
      "a.graphql --fail A=503 --fail *=401 --fail A=500",
      given({
        fail: { A: [503, 500], "*": [401] },
      }),
    ],
    ["a.graphql --unknown-arguments error", given({ unknownArguments: "error" })],
    ["a.graphql --ids global-base64", given({ ids: "global-base64" })],
    [
      "a.graphql --origin http://a.test --origin https://b.test",
      given({
        origins: ["http://a.test", "https://b.test"],
      }),
    ],
    [
      "a.graphql --header X-Key:1 --header=authorization:Bearer:x",
      given({
        headers: { "X-Key": "1", authorization: "Bearer:x" },
      }),
    ],
  ];
  for (const [args, expected] of cases) {
    deepStrictEqual(parseServeArgs(args.split(" ")), expected, args);
  }
});

Deno.test("parseServeArgs() reads a range of latencies", () => {
  const latency = parseServeArgs(["a", "--latency", "100..102"])?.given.latency;
  ok(typeof latency === "function");
  const operation = { name: "A", type: "query", variables: {} } as const;
  const drawn = new Set(Array.from({ length: 200 }, () => latency(operation)));
  deepStrictEqual([...drawn].sort(), [100, 101, 102]);
});

Deno.test("parseServeArgs() returns undefined if help is requested", () => {
  strictEqual(parseServeArgs(["a.graphql", "--help"]), undefined);
  strictEqual(parseServeArgs(["-h"]), undefined);
});

Deno.test("parseServeArgs() rejects unknown options and wrong values", () => {
  const there =
    "there are --seed, --count, --port, --host, --config, --header, --origin, --batch, " +
    "--latency, --fail, --ids, --unknown-arguments and --help";
  const cases: [string, string][] = [
    ["", "Cannot serve: name the file with the GraphQL schema, or see --help"],
    ["a --watch", `Cannot use the option "--watch": ${there}; did you mean --batch`],
    ["a -p 1", `Cannot use the option "-p": ${there}`],
    ["a --prot 1", `Cannot use the option "--prot": ${there}; did you mean --port`],
    ["a --seed", "Cannot use --seed: it needs a value"],
    ["a --seed=", "Cannot use --seed: it needs a value"],
    ["a --seed --port 1", "Cannot use --seed: it needs a value"],
    ["a --port 1 --port 2", "Cannot use --port twice"],
    [
      "a --count many",
      'Cannot use --count "many": it must be 0 to 10000, or such a number by type: Post=50',
    ],
    [
      "a --count Post=10001",
      'Cannot use --count "Post=10001": it must be 0 to 10000, or such a number by type: Post=50',
    ],
    [
      "a --count 5 --count Post=1",
      "Cannot use --count twice, unless each number is of a type: Post=50",
    ],
    ["a --port x", 'Cannot listen on port "x": it must be 0 to 65535'],
    ["a --port 65536", 'Cannot listen on port "65536": it must be 0 to 65535'],
    ["a --port=-1", 'Cannot listen on port "-1": it must be 0 to 65535'],
    ["a --batch=5", 'Cannot use --batch with "5": it takes no value'],
    [
      "a --latency 4..1",
      'Cannot use --latency "4..1": it must be milliseconds such as 250, or a range such as 100..400',
    ],
    [
      "a --fail People=200",
      'Cannot use --fail "People=200": it must be an operation and an HTTP status from 400 to 599, ' +
      "such as People=503, or *=503 for any",
    ],
    [
      "a --ids base64",
      'Cannot use --ids "base64": it must be local, global or global-base64',
    ],
    [
      "a --unknown-arguments drop",
      'Cannot use --unknown-arguments "drop": it must be error or ignore',
    ],
    [
      "a --origin *",
      'Cannot use --origin "*": without it pages of any origin may read, and with credentials ' +
      "browsers need a list",
    ],
    [
      "a --origin http://a.test/",
      'Cannot allow the origin "http://a.test/": browsers write it "http://a.test"',
    ],
    [
      "a --header secret",
      'Cannot send the header "": write it as --header "Name: value", in one line',
    ],
    [
      "a --header Né:secret",
      'Cannot send the header "Né": write it as --header "Name: value", in one line',
    ],
  ];
  for (const [args, message] of cases) {
    const list = args.split(" ").filter((arg) => arg !== "");
    throws(() => parseServeArgs(list), { name: "ServeError", message }, args);
  }
});

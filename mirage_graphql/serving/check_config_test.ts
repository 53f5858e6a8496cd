import { deepStrictEqual, throws } from "node:assert/strict";
import { checkConfig } from "./check_config.ts";

Deno.test("checkConfig() accepts every key with a valid value", () => {
  const config = {
    schema: ["a.graphql", "b"],
    headers: { "X-Key": "1" },
    seeds: { people: [{ name: "Ada" }] },
    models: {},
    factories: {},
    resolvers: { Query: {} },
    context: () => ({ user: "Ada" }),
    latency: "100..400",
    batch: { max: 5 },
    fail: { People: 503, "*": [401, 500] },
    origins: ["http://localhost:5173"],
    host: "127.0.0.1",
    port: 0,
    conventions: { paging: true },
    unknownArguments: "error",
    strict: true,
    defaults: "none",
  };
  deepStrictEqual(checkConfig(config), config);
  checkConfig({ latency: 0, batch: true, schema: "a.graphql", seeds: () => {}, port: undefined });
});

Deno.test("checkConfig() names unknown keys, and the most similar known one", () => {
  throws(() => checkConfig({ modles: {} }), {
    name: "ServeError",
    message: 'Cannot use "modles": there is no such key; did you mean "models"',
  });
  throws(() => checkConfig({ toString: 1 }), {
    message: /^Cannot use "toString": there is no such key; the keys are schema, headers, seeds, /,
  });
});

Deno.test("checkConfig() names values of the wrong type", () => {
  const cases: [unknown, string][] = [
    [[], 'Cannot use the default export "": it must be an object'],
    [undefined, 'Cannot use the default export "undefined": it must be an object'],
    [{ port: "80" }, 'Cannot use "port" with "80": it must be an integer from 0 to 65535'],
    [{ models: [] }, 'Cannot use "models" with []: it must be an object of Mirage models by name'],
    [
      { resolvers: () => {} },
      'Cannot use "resolvers" with a function: it must be an object of resolvers by type and field',
    ],
    [
      { batch: { max: 0 } },
      'Cannot use "batch" with {"max":0}: it must be true, false or { max }, a whole number',
    ],
    [
      { fail: { People: 200 } },
      'Cannot use "fail" with {"People":200}: it must be an object of HTTP statuses from 400 to 599 ' +
      "by operation",
    ],
    [
      { origins: ["*"] },
      'Cannot use "origins" with ["*"]: it must be a list of origins such as "http://localhost:5173"',
    ],
    [
      { latency: "slow" },
      'Cannot use "latency" with "slow": it must be a number of milliseconds, a range such as ' +
      '"100..400", or a function of the operation',
    ],
    [
      { conventions: "all" },
      'Cannot use the option "conventions" with "all": it is "strict", "common", a list of dialects or an object with ' +
      "some of the switches paging, ordering, filtering, ids, writes, aggregates, connections, " +
      "sessions, subscriptions",
    ],
  ];
  for (const [value, message] of cases) throws(() => checkConfig(value), { message });
});

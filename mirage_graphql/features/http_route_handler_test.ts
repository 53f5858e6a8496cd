import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { createServer, Response as MirageResponse } from "miragejs";
import { personSchema } from "../testing/person_schema.ts";
import { createExecutor } from "../execution/executor.ts";
import type { ExecutorOptions } from "../execution/executor_options.ts";
import { createRouteHandler } from "../http/route_handler.ts";

const mockSchema = createServer({ environment: "test" }).schema;

function handlerFor(options: Partial<ExecutorOptions> = {}, schema = personSchema()) {
  return createRouteHandler(createExecutor(schema, { mockSchema, ...options }));
}

function body(query: string, more: object = {}): { requestBody: string } {
  return { requestBody: JSON.stringify({ query, ...more }) };
}

Deno.test("the route handler returns data to a direct caller", async () => {
  const { data, errors } = await handlerFor()(undefined, body("{ people { name } }"));
  deepStrictEqual(JSON.parse(JSON.stringify(data)), { people: [{ name: "Ada" }, { name: "Zoë" }] });
  strictEqual(errors, undefined);
});

Deno.test("the route handler returns errors to a direct caller", async () => {
  const { data, errors } = await handlerFor()(undefined, body("{ persons { name } }"));
  strictEqual(data, undefined);
  match(errors?.[0]?.message ?? "", /Cannot query field "persons" on type "Query"/);
});

Deno.test("the route handler's answer is a Mirage Response with status 200 and Content-Type", async () => {
  const answer = await handlerFor()(undefined, body("{ hello }"));
  ok(answer instanceof MirageResponse);
  const [status, headers, whole] = answer.toRackResponse();
  deepStrictEqual([status, headers], [200, { "Content-Type": "application/json; charset=utf-8" }]);
  strictEqual(JSON.stringify(whole), '{"data":{"hello":"Hello, you"}}');
});

Deno.test("the route handler passes a thrown Response on", async () => {
  const teapot = () => new MirageResponse(418, { "X-Pot": "tea" }, { short: "stout" });
  const resolvers = {
    people: () => {
      throw teapot();
    },
    person: () => Promise.reject(teapot()),
  };
  const handler = handlerFor({}, personSchema(resolvers));
  for (const query of ["{ people { id } }", "{ person(id: 1) { id } }"]) {
    const answer = await handler(undefined, body(query));
    const [status, headers, whole] = answer.toRackResponse();
    deepStrictEqual([status, headers["X-Pot"], whole], [418, "tea", { short: "stout" }], query);
  }
});

Deno.test("the route handler rejects an invalid batch limit", () => {
  const executor = createExecutor(personSchema(), { mockSchema });
  for (const max of [0, -1, 1.5, NaN, Infinity]) {
    throws(() => createRouteHandler(executor, { batch: { max } }), {
      name: "RangeError",
      message: /^Cannot use batch .*whole number$/,
    });
  }
  createRouteHandler(executor, { batch: { max: 1 } });
});

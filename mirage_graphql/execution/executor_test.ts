import { buildSchema } from "graphql";
import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { personSchema } from "../testing/person_schema.ts";
import { createExecutor } from "./executor.ts";
import type { ExecutorOptions } from "./executor_options.ts";
import { isPromise } from "../shared/values.ts";
import type { Outcome } from "./outcome.ts";

const mockSchema = {};

function executorFor(options: Partial<ExecutorOptions> = {}, schema = personSchema()) {
  return createExecutor(schema, { mockSchema, ...options });
}

/** The response as JSON, unless it is a complete HTTP response. */
function jsonOf(outcome: Outcome): unknown {
  return outcome.kind === "result" ? JSON.parse(JSON.stringify(outcome.result)) : outcome;
}

async function messageOf(outcome: Outcome | Promise<Outcome>): Promise<string | undefined> {
  const settled = await outcome;
  if (settled.kind === "refusal") return `${settled.status} ${settled.reason}`;
  return settled.kind === "result" ? settled.result.errors?.[0]?.message : undefined;
}

Deno.test("execute() answers synchronously if nothing is asynchronous", () => {
  const outcome = executorFor().execute({ query: "{ hello }" });
  ok(!isPromise(outcome));
  deepStrictEqual(jsonOf(outcome), { data: { hello: "Hello, you" } });
});

Deno.test("execute() waits for asynchronous resolvers and contexts", async () => {
  const schema = personSchema({ hello: (_obj, _args, { user }) => Promise.resolve(user) });
  const context = () => Promise.resolve({ user: "Ada" });
  const outcome = await executorFor({ context }, schema).execute({ query: "{ hello }" });
  deepStrictEqual(jsonOf(outcome), { data: { hello: "Ada" } });
});

Deno.test("execute() passes the user-defined context, both names of the schema and the request to resolvers", async () => {
  const seen: unknown[] = [];
  const schema = personSchema({ hello: (_obj, _args, context) => void seen.push(context) });
  const request = { requestHeaders: { authorization: "Ada" } };
  const query = "{ hello }";
  await executorFor({ context: { user: 1 } }, schema).execute({ query }, { request });
  await executorFor({ context: (asked) => ({ asked }) }, schema).execute({ query }, { request });
  const later = (asked: object) => Promise.resolve({ asked });
  await executorFor({ context: later }, schema).execute({ query }, { request });
  const own = { mockSchema, mirageSchema: mockSchema, request };
  const asked = { asked: request, ...own };
  deepStrictEqual(seen, [{ user: 1, ...own }, asked, asked]);
});

Deno.test("execute() passes `root` to the fields at the root", async () => {
  const schema = personSchema({ hello: (root) => root.greeting });
  const outcome = await executorFor({ root: { greeting: "Hi" } }, schema)
    .execute({ query: "{ hello }" });
  deepStrictEqual(jsonOf(outcome), { data: { hello: "Hi" } });
});

Deno.test("execute() selects the operation by its name", async () => {
  const query = 'query A { hello(name: "a") } query B { hello(name: "b") }';
  const executor = executorFor();
  deepStrictEqual(jsonOf(await executor.execute({ query, operationName: "B" })), {
    data: { hello: "Hello, b" },
  });
  strictEqual(
    await messageOf(executor.execute({ query, operationName: "C" })),
    'Unknown operation named "C".',
  );
  strictEqual(
    await messageOf(executor.execute({ query })),
    "Must provide operation name if query contains multiple operations.",
  );
  strictEqual(
    await messageOf(executor.execute({ query: "fragment F on Query { hello }" })),
    'Fragment "F" is never used.',
  );
});

Deno.test("execute() accepts null as variables, and coerces them by the schema", async () => {
  const executor = executorFor();
  const query = "query ($id: ID!) { person(id: $id) { name } }";
  deepStrictEqual(jsonOf(await executor.execute({ query, variables: { id: 2 } })), {
    data: { person: { name: "Zoë" } },
  });
  const refused = await messageOf(executor.execute({ query, variables: null }));
  match(refused ?? "", /^Variable "\$id" .*"ID!"/);
});

Deno.test("execute() rejects mutations over GET, and subscriptions", async () => {
  const executor = executorFor();
  const query = 'mutation Rename { rename(id: 1, name: "x") { name } }';
  strictEqual(
    await messageOf(executor.execute({ query }, { request: { method: "get" } })),
    '405 Cannot run mutation "Rename" by GET: send POST',
  );
  strictEqual(
    await messageOf(executor.execute({ query: "subscription { renamed { id } }" })),
    '400 Cannot answer subscription "subscription" with one response: use createFetchInterceptor(), ' +
      "createFetchHandler() or createWebSocketInterceptor()",
  );
  deepStrictEqual(executor.operations, []);
});

Deno.test("execute() rejects with the signal's reason while a resolver is pending", async () => {
  const schema = personSchema({ hello: () => new Promise(() => {}) });
  const controller = new AbortController();
  const outcome = executorFor({}, schema)
    .execute({ query: "{ hello }" }, { signal: controller.signal });
  controller.abort(new Error("gone"));
  await rejects(async () => await outcome, { message: "gone" });
});

Deno.test("createExecutor() rejects an invalid schema", () => {
  throws(() => executorFor({}, buildSchema("type Person { id: ID }")), {
    message: "Query root type must be provided.",
  });
});

import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { GraphQLError } from "graphql";
import { Response as MirageResponse } from "miragejs";
import { personSchema } from "../testing/person_schema.ts";
import { createExecutor } from "../execution/executor.ts";
import type { ExecutorOptions } from "../execution/executor_options.ts";
import { createRouteHandler } from "../http/route_handler.ts";

function handlerFor(options: Partial<ExecutorOptions> = {}, schema = personSchema()) {
  return createRouteHandler(createExecutor(schema, { mockSchema: {}, ...options }));
}

const REFUSED = '{"errors":[{"message":"HTTP status 503"}]}';
const PEOPLE = "query People { people { name } }";
const RENAME = 'mutation Rename($id: ID!) { rename(id: $id, name: "New") { name } }';

function body(query: string, variables?: object): { requestBody: string } {
  return { requestBody: JSON.stringify({ query, variables }) };
}

Deno.test("operations contains name, type, variables, errors and duration of each operation", async () => {
  const handler = handlerFor();
  await handler(undefined, body(PEOPLE));
  await handler(undefined, body(RENAME, { id: "1" }));
  await handler(undefined, body("{ person(id: 3) { name } }"));
  const seen = handler.operations.map(({ duration, response, ...operation }) => {
    strictEqual(response, undefined);
    ok(duration >= 0 && duration < 60_000);
    return operation;
  });
  deepStrictEqual(seen, [
    {
      name: "People",
      type: "query",
      variables: {},
      errors: [],
    },
    {
      name: "Rename",
      type: "mutation",
      variables: { id: "1" },
      errors: [],
    },
    { name: undefined, type: "query", variables: {}, errors: [] },
  ]);
});

Deno.test("operations contains the errors of failed operations", async () => {
  const handler = handlerFor(
    {},
    personSchema({
      hello: () => {
        throw new Error("no hello");
      },
    }),
  );
  await handler(undefined, body("{ hello }"));
  deepStrictEqual(handler.operations.map(({ errors }) => errors[0]?.message), ["no hello"]);
});

Deno.test("operations contains asynchronous operations once they are answered", async () => {
  const hello = Promise.withResolvers<string>();
  const handler = handlerFor({}, personSchema({ hello: () => hello.promise }));
  const answer = handler.query("{ hello }");
  deepStrictEqual(handler.operations, []);
  hello.resolve("later");
  await answer;
  deepStrictEqual(handler.operations.map(({ type, errors }) => [type, errors]), [["query", []]]);
});

Deno.test("operations contains those answered by a planned status or Response", async () => {
  const handler = handlerFor();
  const teapot = new MirageResponse(418);
  handler.failNext("*", 503);
  handler.failNext("*", teapot);
  await handler(undefined, body("{ hello }"));
  await handler(undefined, body("{ hello }"));
  const [refused, passed] = handler.operations;
  deepStrictEqual(refused?.errors.map(({ message }) => message), ["HTTP status 503"]);
  deepStrictEqual([passed?.errors, passed?.response], [[], teapot]);
});

Deno.test("operations keeps the latest maxOperations operations", async () => {
  const handler = handlerFor({ maxOperations: 3 });
  for (let index = 0; index < 50; index++) {
    await handler.query("query ($name: String) { hello(name: $name) }", { name: `${index}` });
  }
  deepStrictEqual(handler.operations.map(({ variables }) => variables.name), ["47", "48", "49"]);
  throws(() => handlerFor({ maxOperations: -1 }), {
    name: "RangeError",
    message: 'Cannot keep "-1" operations: maxOperations must be 0 or more',
  });
});

Deno.test("failNext() makes only the next operation of that name fail, without running it", async () => {
  const handler = handlerFor();
  handler.failNext("Rename", new Error("disk full"));
  const people = await handler(undefined, body(PEOPLE));
  strictEqual(people.errors, undefined);
  const failed = await handler(undefined, body(RENAME, { id: "1" }));
  strictEqual(JSON.stringify(failed.body), '{"errors":[{"message":"disk full"}],"data":null}');
  deepStrictEqual(
    (await handler.query(PEOPLE)).people,
    JSON.parse(JSON.stringify(people.data)).people,
  );
  const passed = await handler(undefined, body(RENAME, { id: "1" }));
  strictEqual(passed.errors, undefined);
});

Deno.test("failNext() accepts GraphQL errors and similar objects", async () => {
  const handler = handlerFor();
  const extensions = { code: "UNAUTHENTICATED" };
  handler.failNext("*", new GraphQLError("Sign in", { extensions }));
  handler.failNext("*", { message: "Sign in", extensions });
  for (let turn = 0; turn < 2; turn++) {
    const answer = await handler(undefined, body("{ hello }"));
    strictEqual(answer.code, 200);
    deepStrictEqual(JSON.parse(JSON.stringify(answer.body)), {
      data: null,
      errors: [{ message: "Sign in", extensions }],
    });
  }
});

Deno.test("failNext() accepts an HTTP status and the Response of Mirage or fetch", async () => {
  const handler = handlerFor();
  handler.failNext("*", 503);
  handler.failNext("*", new MirageResponse(418, { "X-Pot": "tea" }, "stout"));
  handler.failNext("*", new Response("slow down", { status: 429, headers: { "X-Pot": "full" } }));
  const answers: unknown[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const [status, headers, whole] = (await handler(undefined, body("{ hello }")))
      .toRackResponse();
    const type = headers["Content-Type"];
    const pot = headers["X-Pot"] ?? headers["x-pot"];
    answers.push([status, type, pot, JSON.stringify(whole)]);
  }
  deepStrictEqual(answers, [
    [503, "application/json; charset=utf-8", undefined, REFUSED],
    [418, "application/json", "tea", '"stout"'],
    [429, "text/plain;charset=UTF-8", "full", '"slow down"'],
  ]);
});

Deno.test("failNext() breaks the connection, of a batch as a whole", async () => {
  const executor = createExecutor(personSchema(), { mockSchema: {} });
  const handler = createRouteHandler(executor, { batch: true });
  const state = "Cannot answer: the connection was broken, as planned";
  handler.failNext("People", "network");
  handler.failNext("*", Response.error());
  handler.failNext("People", "network");
  await rejects(handler(undefined, body(PEOPLE)), { name: "TypeError", message: state });
  await rejects(handler.query("{ hello }"), {
    message: "Cannot return data: the connection was broken",
  });
  const batch = JSON.stringify([{ query: "{ hello }" }, { query: PEOPLE }]);
  await rejects(handler(undefined, { requestBody: batch }), { message: state });
  strictEqual((await handler(undefined, { requestBody: batch })).code, 200);
});

Deno.test("failNext() lets an operation time out until the client aborts", async () => {
  const handler = handlerFor();
  const { signal, abort } = abortable();
  handler.failNext("People", "timeout");
  const asked = handler(undefined, { ...body(PEOPLE), signal });
  strictEqual((await handler.seen("People")).name, "People");
  abort(new Error("gave up"));
  await rejects(asked, { message: "gave up" });
  strictEqual((await handler(undefined, body(PEOPLE))).code, 200);
});

Deno.test("seen() resolves with what was handled, or with what is handled next", async () => {
  const handler = handlerFor();
  const people = handler.seen("People");
  const any = handler.seen("*", { timeout: 60_000 });
  await handler.query("{ hello }");
  strictEqual((await any).name, undefined);
  await handler.query(PEOPLE);
  strictEqual((await people).type, "query");
  strictEqual(await handler.seen("People"), await people);
  strictEqual((await handler.seen("*", { timeout: 0 })).name, "People");
});

Deno.test("seen() rejects if nothing of that name is handled in time", async () => {
  const handler = handlerFor();
  await rejects(handler.seen("Rename", { timeout: 1 }), {
    message: 'Cannot see "Rename" within 1 ms: no operation was handled',
  });
  await handler.query(PEOPLE);
  await handler.query("{ hello }");
  await rejects(handler.seen("Rename", { timeout: 1 }), {
    message: 'Cannot see "Rename" within 1 ms: handled: People, an operation without a name',
  });
  await rejects(handler.seen("Rename", { timeout: NaN }), {
    name: "RangeError",
    message: 'Cannot wait for "NaN": timeout must be 0 to 2147483647 milliseconds',
  });
});

Deno.test("seen() sees operations that are not kept", async () => {
  const handler = handlerFor({ maxOperations: 0 });
  const people = handler.seen("People");
  await handler.query(PEOPLE);
  strictEqual((await people).name, "People");
});

Deno.test("failNext() rejects what can't fail an operation", () => {
  const handler = handlerFor();
  throws(() => handler.failNext("", 500), {
    name: "TypeError",
    message: 'Cannot plan a failure of "": name an operation, or "*" for any',
  });
  throws(() => handler.failNext("People", 200), {
    name: "RangeError",
    message: 'Cannot plan a failure of "People": HTTP status 200 is not within 400 to 599',
  });
  // @ts-expect-error a string is not a failure
  throws(() => handler.failNext("People", "broken"), {
    name: "TypeError",
    message: 'Cannot plan a failure of "People": give an error with a message, ' +
      'an HTTP status, a Response, "network" or "timeout"',
  });
  for (let count = 0; count < 1000; count++) handler.failNext("People", 500);
  throws(() => handler.failNext("People", 500), {
    name: "RangeError",
    message: 'Cannot plan a failure of "People": 1000 are already waiting',
  });
});

Deno.test("reset() removes operations and planned failures", async () => {
  const handler = handlerFor();
  await handler.query("{ hello }");
  handler.failNext("*", 500);
  handler.reset();
  deepStrictEqual(handler.operations, []);
  deepStrictEqual({ ...await handler.query("{ hello }") }, { hello: "Hello, you" });
});

Deno.test("latency delays the answer, by a number or by a function of the operation", async () => {
  const waits: unknown[] = [];
  const { setTimeout } = globalThis;
  // time is faked: each wait is recorded, and ends at once
  Object.assign(globalThis, {
    setTimeout: (end: () => void, ms: number) => {
      waits.push(ms);
      return setTimeout(end, 0);
    },
  });
  try {
    await handlerFor({ latency: 300 }).query("{ hello }");
    const byName = handlerFor({ latency: ({ name, type }) => name === "People" ? 9 : type.length });
    await byName.query(PEOPLE);
    await byName.query(RENAME, { id: "1" });
    await handlerFor({ latency: 0 }).query("{ hello }");
  } finally {
    Object.assign(globalThis, { setTimeout });
  }
  deepStrictEqual(waits, [300, 9, 8]);
});

Deno.test("duration includes the latency", async () => {
  const handler = handlerFor({ latency: 20 });
  await handler.query("{ hello }");
  ok(handler.operations.every(({ duration }) => duration >= 19));
});

Deno.test({
  name: "latency ends when the request's signal aborts, leaves no timer, and nothing runs",
  sanitizeOps: true,
  sanitizeResources: true,
  fn: latencyEnds,
});

async function latencyEnds(): Promise<void> {
  const handler = handlerFor({ latency: 60_000 });
  const controller = new AbortController();
  const answer = handler.query(RENAME, { id: "1" }, { signal: controller.signal });
  controller.abort(new Error("gone"));
  await rejects(answer, { message: "gone" });
  deepStrictEqual(handler.operations, []);
}

Deno.test("latency must be a valid delay", async () => {
  const message = 'Cannot use latency "-1": it must be 0 to 2147483647 milliseconds';
  throws(() => handlerFor({ latency: -1 }), { name: "RangeError", message });
  const { code, errors } = await handlerFor({ latency: () => -1 })(undefined, body("{ hello }"));
  strictEqual(code, 500);
  strictEqual(errors?.[0]?.message, `Cannot run the operation: ${message}`);
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: Error) => controller.abort(reason) };
}

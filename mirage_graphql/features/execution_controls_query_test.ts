import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { buildSchema, parse } from "graphql";
import { Response as MirageResponse } from "miragejs";
import { personSchema } from "../testing/person_schema.ts";
import { createExecutor } from "../execution/executor.ts";
import type { ExecutorOptions } from "../execution/executor_options.ts";
import { QueryError } from "../execution/controls.ts";
import { createRouteHandler } from "../http/route_handler.ts";

function handlerFor(options: Partial<ExecutorOptions> = {}, schema = personSchema()) {
  return createRouteHandler(createExecutor(schema, { mockSchema: {}, ...options }));
}

Deno.test("query() infers result and variables from a typed document", async () => {
  const document: TypedDocumentNode<{ person: { name: string } | null }, { id: string }> = parse(
    "query Person($id: ID!) { person(id: $id) { name } }",
  );
  const handler = handlerFor();
  const { person } = await handler.query(document, { id: "2" });
  const name: string | undefined = person?.name;
  strictEqual(name, "Zoë");
  // @ts-expect-error variables are required
  await rejects(handler.query(document), QueryError);
  // @ts-expect-error the id is missing
  await rejects(handler.query(document, {}), QueryError);
});

Deno.test("query() accepts documents without variables on their own, and untyped ones", async () => {
  const document: TypedDocumentNode<{ hello: string }, Record<string, never>> = parse("{ hello }");
  const handler = handlerFor();
  const { hello } = await handler.query(document);
  strictEqual(hello.length, 10);
  const untyped = await handler.query("{ hello }");
  strictEqual(untyped.hello, hello);
});

Deno.test("query() sends its variables as they are, files included: later changes affect neither resolvers nor the log", async () => {
  const schema = buildSchema("scalar JSON type Query { a(input: JSON): JSON }");
  const root = { a: ({ input }: { input: { tags: string[] } }) => input.tags };
  const handler = handlerFor({ latency: 1, root }, schema);
  const file = new File(["text"], "a.txt");
  const input = { tags: ["sent"], file, at: new Date(5) };
  const answered = handler.query("query A($input: JSON) { a(input: $input) }", { input });
  input.tags.push("changed");
  deepStrictEqual(await answered, { a: ["sent"] });
  input.at.setTime(6);
  const { variables } = await handler.seen("A");
  deepStrictEqual(variables, { input: { tags: ["sent"], file, at: new Date(5) } });
});

Deno.test("query() throws all errors of the response, with its data", async () => {
  const fail = (message: string) => () => {
    throw new Error(message);
  };
  const handler = handlerFor({}, personSchema({ hello: fail("one"), person: fail("two") }));
  const error = await handler.query("{ hello person(id: 1) { id } people { id } }")
    .then(() => undefined, (reason: unknown) => reason);
  ok(error instanceof QueryError);
  strictEqual(error.message, "Cannot return data: one (at hello); two (at person)");
  deepStrictEqual(error.errors.map(({ message }) => message), ["one", "two"]);
  deepStrictEqual(Object.keys(error.data ?? {}), ["hello", "person", "people"]);
  ok(error.cause instanceof Error && error.cause.message === "one");
});

Deno.test("query() throws if the result is a Response or a rejection", async () => {
  const handler = handlerFor();
  const teapot = new MirageResponse(418);
  handler.failNext("*", teapot);
  handler.failNext("*", 503);
  await rejects(handler.query("{ hello }"), {
    name: "QueryError",
    message: "Cannot return data: the result is a Response",
    response: teapot,
  });
  await rejects(handler.query("{ hello }"), { message: "Cannot return data: HTTP status 503" });
});

Deno.test("query() passes the caller's request to resolvers", async () => {
  const handler = handlerFor(
    {},
    personSchema({
      hello: (_obj, _args, { request }) => request.requestHeaders.authorization,
    }),
  );
  const request = { requestHeaders: { authorization: "Ada" } };
  deepStrictEqual({ ...await handler.query("{ hello }", {}, { request }) }, { hello: "Ada" });
});

import { Response as MirageResponse } from "miragejs";
import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createExecutor } from "../execution/executor.ts";
import type { ExecutorOptions } from "../execution/executor_options.ts";
import type { MockRequest } from "../execution/graphql_request.ts";
import { personSchema } from "../testing/person_schema.ts";
import type { ParseOptions } from "./http_request.ts";
import { handleHttpRequest } from "./http_response.ts";

const GRAPHQL = "application/graphql-response+json";

const schema = personSchema({
  hello: () => {
    throw new MirageResponse(418);
  },
});

async function answer(
  request: MockRequest,
  options: ParseOptions & Partial<ExecutorOptions> = {},
): Promise<unknown[]> {
  const executor = createExecutor(schema, { mockSchema: {}, ...options });
  const answered = await handleHttpRequest(executor, request, options);
  if (answered.kind !== "json") return ["response"];
  const body = JSON.parse(JSON.stringify(answered.body));
  return [answered.status, answered.headers["Content-Type"], body];
}

function ask(query: string, accept?: string): MockRequest {
  return {
    requestBody: { query },
    requestHeaders: accept === undefined ? {} : { Accept: accept },
  };
}

Deno.test("answerHttp() answers a rejected document with 400, but with 200 as application/json", async () => {
  for (const query of ["{", "{ nothing }", "query ($id: ID!) { person(id: $id) { id } }"]) {
    const [asGraphQL, type, body] = await answer(ask(query, GRAPHQL));
    deepStrictEqual([asGraphQL, type], [400, `${GRAPHQL}; charset=utf-8`], query);
    deepStrictEqual(Object.keys(body as object), ["errors"]);
    const [asJson, jsonType] = await answer(ask(query));
    deepStrictEqual([asJson, jsonType], [200, "application/json; charset=utf-8"], query);
  }
});

Deno.test("answerHttp() answers with 200 if there is data, even null", async () => {
  deepStrictEqual(await answer(ask("{ person(id: 3) { id } }", GRAPHQL)), [
    200,
    `${GRAPHQL}; charset=utf-8`,
    { data: { person: null } },
  ]);
  const failing = personSchema({ people: () => null });
  const executor = createExecutor(failing, { mockSchema: {} });
  const answered = await handleHttpRequest(executor, ask("{ people { id } }", GRAPHQL));
  strictEqual(answered.kind === "json" && answered.status, 200);
  strictEqual(answered.kind === "json" && "data" in answered.body && answered.body.data, null);
});

Deno.test("answerHttp() answers an invalid request with its status in every media type", async () => {
  for (const accept of [GRAPHQL, "application/json"]) {
    const [status, type, body] = await answer({
      requestBody: "{",
      requestHeaders: { accept },
    });
    deepStrictEqual([status, type], [400, `${accept}; charset=utf-8`]);
    deepStrictEqual(Object.keys(body as object), ["errors"]);
  }
});

Deno.test("answerHttp() answers with 406 if the client accepts neither media type", async () => {
  deepStrictEqual(await answer(ask("{ hello }", "text/html")), [
    406,
    "application/json; charset=utf-8",
    {
      errors: [{
        message: "Cannot answer in a type that Accept names: accept application/json or " +
          "application/graphql-response+json",
      }],
    },
  ]);
});

Deno.test("answerHttp() answers a batch with an array in its order", async () => {
  const request = {
    requestBody: [
      { query: "{ person(id: 1) { name } }" },
      { query: "{ nothing }" },
      { query: "subscription { renamed { id } }" },
      { query: "{ hello }" },
    ],
  };
  const [status, , body] = await answer(request, { batch: true });
  strictEqual(status, 200);
  deepStrictEqual(body, [
    { data: { person: { name: "Ada" } } },
    {
      errors: [{
        message: 'Cannot query field "nothing" on type "Query".',
        locations: [{ line: 1, column: 3 }],
      }],
    },
    {
      errors: [{
        message: 'Cannot answer subscription "subscription" with one response: ' +
          "use createFetchInterceptor(), createFetchHandler() or createWebSocketInterceptor()",
        extensions: { http: { status: 400 } },
      }],
    },
    {
      errors: [{ message: "Cannot pass a resolver's Response on: the request is one of a batch" }],
    },
  ]);
});

Deno.test("answerHttp() passes a resolver's Response on", async () => {
  deepStrictEqual(await answer(ask("{ hello }")), ["response"]);
});

Deno.test("answerHttp() answers with 500 if the user-defined context fails", async () => {
  const fail = () => {
    throw new Error("no session");
  };
  for (const context of [fail, () => Promise.resolve().then(fail)]) {
    const [status, , body] = await answer(ask("{ people { id } }"), { context });
    strictEqual(status, 500);
    deepStrictEqual(body, { errors: [{ message: "Cannot run the operation: no session" }] });
  }
});

Deno.test("answerHttp() rejects if the request's signal aborts", async () => {
  const request = { ...ask("{ people { id } }"), signal: AbortSignal.abort(new Error("gone")) };
  await rejects(answer(request, { latency: 10_000 }), { message: "gone" });
});

import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { Response as MirageResponse } from "miragejs";
import { createExecutor } from "../execution/executor.ts";
import type { ExecutorOptions } from "../execution/executor_options.ts";
import { personSchema } from "../testing/person_schema.ts";
import { createFetchHandlerFor, type FetchHandlerOptions } from "../http/fetch_handler.ts";

const URL_ = "http://localhost/graphql";
const JSON_TYPE = { "content-type": "application/json" };

function handlerFor(
  options: FetchHandlerOptions = {},
  { schema = personSchema(), ...more }:
    & { schema?: ReturnType<typeof personSchema> }
    & Partial<ExecutorOptions> = {},
) {
  return createFetchHandlerFor(createExecutor(schema, { mockSchema: {}, ...more }), options);
}

function post(body: BodyInit, more: RequestInit = {}): Request {
  return new Request(URL_, { method: "POST", body, headers: JSON_TYPE, ...more });
}

function ask(query: string, more: RequestInit = {}): Request {
  return post(JSON.stringify({ query }), more);
}

async function readJson(response: Response | Promise<Response>): Promise<[number, unknown]> {
  const settled = await response;
  return [settled.status, await settled.json()];
}

function refusal(status: number, message: string): [number, unknown] {
  return [status, { errors: [{ message }] }];
}

Deno.test("the fetch handler answers POST and GET", async () => {
  const handler = handlerFor();
  const response = await handler(ask("{ hello }"));
  strictEqual(response.headers.get("content-type"), "application/json; charset=utf-8");
  deepStrictEqual(await readJson(response), [200, { data: { hello: "Hello, you" } }]);
  const params = new URLSearchParams({
    query: "query A($name: String) { hello(name: $name) }",
    variables: '{"name":"Zoë"}',
  });
  deepStrictEqual(await readJson(handler(new Request(`${URL_}?${params}`))), [
    200,
    { data: { hello: "Hello, Zoë" } },
  ]);
});

Deno.test("the fetch handler answers a request of a real server", async () => {
  const handler = handlerFor();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  const address = `http://127.0.0.1:${server.addr.port}/`;
  const init = { method: "POST", body: JSON.stringify({ query: "{ hello }" }), headers: JSON_TYPE };
  deepStrictEqual(await readJson(fetch(address, init)), [200, { data: { hello: "Hello, you" } }]);
});

Deno.test("the fetch handler rejects mutations over GET, and other methods", async () => {
  const handler = handlerFor();
  const query = encodeURIComponent('mutation { rename(id: 1, name: "x") { id } }');
  const mutation = await handler(new Request(`${URL_}?query=${query}`));
  strictEqual(mutation.headers.get("allow"), "POST");
  deepStrictEqual(
    await readJson(mutation),
    refusal(405, 'Cannot run mutation "mutation" by GET: send POST'),
  );
  const put = await handler(new Request(URL_, { method: "PUT", body: "{}" }));
  strictEqual(put.headers.get("allow"), "GET, POST");
  deepStrictEqual(await readJson(put), refusal(405, "Cannot answer PUT: send GET or POST"));
});

Deno.test("the fetch handler rejects a body without a type or with another one", async () => {
  const handler = handlerFor();
  const typeless = new Request(URL_, { method: "POST", body: new Uint8Array([123, 125]) });
  deepStrictEqual(
    await readJson(handler(typeless)),
    refusal(415, 'Cannot read a body of type "": send it as Content-Type: application/json'),
  );
  strictEqual((await handler(post("{}", { headers: {} }))).status, 415);
});

Deno.test("the fetch handler counts the bytes of a body, with or without Content-Length", async () => {
  const handler = handlerFor({ maxBodyBytes: 100 });
  const body = JSON.stringify({ query: "{ hello }" }).padEnd(100);
  const told = { ...JSON_TYPE, "content-length": "100" };
  strictEqual((await handler(post(body))).status, 200);
  strictEqual((await handler(post(body, { headers: told }))).status, 200);
  const tooLarge = refusal(413, "Cannot read the body: it is larger than 100 bytes");
  deepStrictEqual(await readJson(handler(post(`${body} `))), tooLarge);
  const lying = post(`${body} `, { headers: told });
  deepStrictEqual(await readJson(handler(lying)), tooLarge);
  const long = post(body, { headers: { ...told, "content-length": "101" } });
  deepStrictEqual(await readJson(handler(long)), tooLarge);
});

Deno.test("the fetch handler rejects a body that is not UTF-8, not JSON, or ends early", async () => {
  const handler = handlerFor();
  deepStrictEqual(
    await readJson(handler(post(Uint8Array.of(0x22, 0xff, 0x22)))),
    refusal(400, "Cannot read the body: it is not UTF-8"),
  );
  const [status, body] = await readJson(handler(post("{")));
  strictEqual(status, 400);
  match(JSON.stringify(body), /Cannot read the body: it is not JSON, /);
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  deepStrictEqual(
    await readJson(handler(post(broken))),
    refusal(400, "Cannot read the body: it ended early"),
  );
});

Deno.test("the fetch handler answers a batch if the app opts in", async () => {
  const batch = JSON.stringify([{ query: "{ hello }" }, { query: "{ __typename }" }]);
  deepStrictEqual(await readJson(handlerFor({ batch: true })(post(batch))), [
    200,
    [{ data: { hello: "Hello, you" } }, { data: { __typename: "Query" } }],
  ]);
  strictEqual((await handlerFor()(post(batch))).status, 400);
});

Deno.test("the fetch handler passes the request to resolvers in Mirage's form, and its signal", async () => {
  const seen: unknown[] = [];
  const schema = personSchema({
    hello: (_obj, _args, { request }) => {
      const { method, url, params, queryParams, requestHeaders, requestBody, signal } = request;
      ok(signal instanceof AbortSignal);
      seen.push({ method, url, params, queryParams, requestHeaders, requestBody });
    },
  });
  const body = JSON.stringify({ query: "{ hello }" });
  const request = new Request(`${URL_}?a=1`, {
    method: "POST",
    body,
    headers: { ...JSON_TYPE, Authorization: "Ada" },
  });
  await handlerFor({}, { schema })(request);
  deepStrictEqual(seen, [{
    method: "POST",
    url: `${URL_}?a=1`,
    params: {},
    queryParams: { a: "1" },
    requestHeaders: { "content-type": "application/json", authorization: "Ada" },
    requestBody: body,
  }]);
});

Deno.test("the fetch handler passes the Response of a resolver on", async () => {
  const schema = personSchema({
    hello: () => Promise.reject(new MirageResponse(418, { "X-Pot": "tea" }, { short: 1 })),
    people: () => Promise.reject(new Response("stout", { status: 429 })),
    person: () => Promise.reject(new MirageResponse(204)),
  });
  const handler = handlerFor({}, { schema });
  const mirage = await handler(ask("{ hello }"));
  strictEqual(mirage.headers.get("x-pot"), "tea");
  deepStrictEqual(await readJson(mirage), [418, { short: 1 }]);
  const fetched = await handler(ask("{ people { id } }"));
  deepStrictEqual([fetched.status, await fetched.text()], [429, "stout"]);
  const empty = await handler(ask("{ person(id: 1) { id } }"));
  deepStrictEqual([empty.status, await empty.text()], [204, ""]);
});

Deno.test("the fetch handler stops when the request is aborted", async () => {
  const handler = handlerFor({}, { latency: 60_000 });
  const controller = new AbortController();
  const response = handler(ask("{ hello }", { signal: controller.signal }));
  controller.abort();
  strictEqual((await response).status, 499);
});

Deno.test("the fetch handler lets pages of other origins read responses if cors allows it", async () => {
  const from = (origin: string) => ask("{ hello }", { headers: { ...JSON_TYPE, origin } });
  const allowed = async (cors: FetchHandlerOptions["cors"], origin: string) => {
    const { headers } = await handlerFor({ cors })(from(origin));
    return [headers.get("access-control-allow-origin"), headers.get("vary")];
  };
  const app = "http://localhost:5173";
  deepStrictEqual(await allowed(undefined, app), [null, null]);
  deepStrictEqual(await allowed(true, app), ["*", null]);
  deepStrictEqual(await allowed([app], app), [app, "Origin"]);
  deepStrictEqual(await allowed([app], "http://evil.test"), [null, "Origin"]);
});

Deno.test("the fetch handler allows credentials only to listed origins", async () => {
  const app = "http://localhost:5173";
  const allowed = async (request: Request, cors: FetchHandlerOptions["cors"]) => {
    const { headers } = await handlerFor({ cors })(request);
    const names = ["access-control-allow-origin", "access-control-allow-credentials"];
    return names.map((name) => headers.get(name));
  };
  const get = (origin: string) => ask("{ hello }", { headers: { ...JSON_TYPE, origin } });
  const preflight = (origin: string) =>
    new Request(URL_, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
  const cors = { origins: [app], credentials: true };
  for (const requestFrom of [get, preflight]) {
    deepStrictEqual(await allowed(requestFrom(app), cors), [app, "true"]);
    deepStrictEqual(await allowed(requestFrom("http://evil.test"), cors), [null, null]);
    deepStrictEqual(await allowed(requestFrom(app), { origins: [app] }), [app, null]);
    deepStrictEqual(await allowed(requestFrom(app), true), ["*", null]);
    const { headers } = await handlerFor({ cors })(requestFrom("http://evil.test"));
    strictEqual(headers.get("vary")?.split(", ").includes("Origin"), true);
  }
});

Deno.test("the fetch handler answers a preflight if cors allows it", async () => {
  const preflight = new Request(URL_, {
    method: "OPTIONS",
    headers: {
      "origin": "http://localhost:5173",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-app",
    },
  });
  const { status, headers } = await handlerFor({ cors: true })(preflight);
  const names = ["origin", "methods", "headers"];
  deepStrictEqual(
    [status, ...names.map((name) => headers.get(`access-control-allow-${name}`))],
    [204, "*", "GET, POST, PUT, DELETE", "content-type,x-app"],
  );
  strictEqual((await handlerFor()(preflight)).status, 405);
  preflight.headers.delete("access-control-request-headers");
  const plain = await handlerFor({ cors: true })(preflight);
  strictEqual(plain.headers.get("access-control-allow-headers"), null);
});

Deno.test("the fetch handler passes on requests for an event stream", async () => {
  const onEventStream = ({ requestBody }: { requestBody?: unknown }) =>
    new Response(`data: ${requestBody}`, { headers: { "content-type": "text/event-stream" } });
  const headers = { ...JSON_TYPE, accept: "text/event-stream" };
  const request = () => post("{}", { headers });
  strictEqual(await (await handlerFor({ onEventStream })(request())).text(), "data: {}");
  strictEqual((await handlerFor()(request())).status, 400);
});

Deno.test("the fetch handler shows a page to browsers, and still answers other clients", async () => {
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const handler = handlerFor({ graphiql: () => "<p>page" });
  const page = await handler(new Request(URL_, { headers: browser }));
  deepStrictEqual(
    [page.status, page.headers.get("content-type"), await page.text()],
    [200, "text/html; charset=utf-8", "<p>page"],
  );
  strictEqual((await handler(new Request(URL_))).status, 400);
  const posted = handler(ask("{ hello }", { headers: { ...JSON_TYPE, ...browser } }));
  deepStrictEqual(await readJson(posted), [200, { data: { hello: "Hello, you" } }]);
  const off = await handlerFor({ graphiql: false })(new Request(URL_, { headers: browser }));
  strictEqual(off.status, 400);
});

Deno.test("the fetch handler reports why the page can't be shown", async () => {
  const graphiql = () => Promise.reject(new Error("Cannot import x: add the package"));
  const headers = { accept: "text/html" };
  const page = await handlerFor({ graphiql })(new Request(URL_, { headers }));
  deepStrictEqual([page.status, await page.text()], [501, "Cannot import x: add the package"]);
});

Deno.test("the fetch handler has the controls", async () => {
  const handler = handlerFor();
  handler.failNext("*", 503);
  strictEqual((await handler(ask("{ hello }"))).status, 503);
  deepStrictEqual({ ...await handler.query("{ hello }") }, { hello: "Hello, you" });
  strictEqual(handler.operations.length, 2);
});

Deno.test("the fetch handler returns a planned network error", async () => {
  const handler = handlerFor({ cors: true });
  handler.failNext("*", "network");
  const response = await handler(ask("{ hello }"));
  deepStrictEqual([response.type, response.status], ["error", 0]);
});

Deno.test("the fetch handler rejects invalid limits and origins", () => {
  const cases: [object, string][] = [
    [{ maxBodyBytes: 0 }, 'Cannot use maxBodyBytes "0": it must be an integer of at least 1'],
    [
      { maxBodyBytes: "1 MB" },
      'Cannot use maxBodyBytes "1 MB": it must be an integer of at least 1',
    ],
    [
      { cors: "http://a.test" },
      'Cannot use cors "http://a.test": it must be true, false or a list of origins',
    ],
    [
      { cors: ["http://a.test/"] },
      'Cannot allow the origin "http://a.test/": browsers write it "http://a.test"',
    ],
    [
      { cors: ["*"] },
      'Cannot allow the origin "*" in a list: set cors to true',
    ],
    [
      { cors: { origins: ["*"], credentials: true } },
      'Cannot allow the origin "*" in a list: set cors to true',
    ],
    [{ cors: { origins: true } }, 'Cannot use cors.origins "true": it must be a list of origins'],
    [
      { cors: { origins: [], credentials: "yes" } },
      'Cannot use cors.credentials "yes": it must be true or false',
    ],
    [{ batch: 5 }, 'Cannot use batch "5": it must be true, false or { max }, a whole number'],
    [
      { batch: { max: 0 } },
      'Cannot use batch "{"max":0}": it must be true, false or { max }, a whole number',
    ],
  ];
  handlerFor({ cors: ["https://a.test", "capacitor://localhost"] });
  for (const [options, message] of cases) throws(() => handlerFor(options), { message });
});

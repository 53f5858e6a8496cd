import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { createRequire } from "node:module";
import { createServer, Response as MirageResponse } from "miragejs";
import { createGraphQLHandler } from "../mock/handler.ts";
import { createFetchInterceptor } from "../intercept/fetch_interceptor.ts";
import { serveRoutes } from "../testing/seed_server.ts";

async function getJson(input: string | URL | Request, init?: RequestInit): Promise<unknown> {
  const response = await fetch(input, init);
  return await response.json();
}

Deno.test("createFetchInterceptor() routes calls with relative URLs, absolute URLs and Requests", async () => {
  using interceptor = createFetchInterceptor();
  serveRoutes(interceptor, function () {
    this.get("/hello", () => ({ hello: "you" }));
  });
  const address = "http://localhost/hello";
  for (const input of ["/hello", "hello", address, new URL(address), new Request(address)]) {
    deepStrictEqual(await getJson(input), { hello: "you" });
  }
  strictEqual((await fetch("/hello")).url, address);
});

Deno.test("createFetchInterceptor() serves Mirage's REST shorthands and resources", async () => {
  using interceptor = createFetchInterceptor();
  const server = serveRoutes(interceptor, function () {
    this.namespace = "api";
    this.resource("movie");
  });
  const send = (method: string, path: string, movie?: object) =>
    fetch(path, { method, body: movie && JSON.stringify({ movie }) });
  const created = await send("POST", "/api/movies", { name: "Alien" });
  strictEqual(created.status, 201);
  deepStrictEqual(await created.json(), { movie: { id: "1", name: "Alien" } });
  await send("PATCH", "/api/movies/1", { name: "Aliens" });
  deepStrictEqual(await getJson("/api/movies/1"), { movie: { id: "1", name: "Aliens" } });
  await send("PUT", "/api/movies/1", { name: "Alien 3" });
  deepStrictEqual(await getJson("/api/movies"), { movies: [{ id: "1", name: "Alien 3" }] });
  const deleted = await send("DELETE", "/api/movies/1");
  deepStrictEqual([deleted.status, await deleted.text()], [204, ""]);
  deepStrictEqual(server.db.dump(), { movies: [] });
});

Deno.test("createFetchInterceptor() passes params, query, headers and body to handlers", async () => {
  using interceptor = createFetchInterceptor();
  serveRoutes(interceptor, function () {
    const echo = (_schema: unknown, request: object) => {
      const { params, queryParams, requestHeaders, requestBody } = request as Record<
        string,
        unknown
      >;
      return new MirageResponse(200, {}, { params, queryParams, requestHeaders, requestBody });
    };
    this.post("/people/:id/files/*path", echo);
  });
  const address = "/people/a%20b/files/x/y.txt?q=1+2&tag[]=a&tag[]=b&bare&eq=a=b";
  const init = { method: "POST", body: "text", headers: { "X-Test": "1" } };
  deepStrictEqual(await getJson(address, init), {
    params: { id: "a b", path: "x/y.txt" },
    queryParams: { q: "1 2", tag: ["a", "b"], bare: "true", eq: "a=b" },
    requestHeaders: { "content-type": "text/plain;charset=UTF-8", "x-test": "1" },
    requestBody: "text",
  });
});

Deno.test("createFetchInterceptor() chooses the most specific route, and the latest of equal ones", async () => {
  using interceptor = createFetchInterceptor();
  const server = serveRoutes(interceptor, function () {
    this.get("/movies/*rest", () => ["rest"]);
    this.get("/movies/:id", () => ["old"]);
    this.get("/movies/new", () => ["new"]);
    this.get("/a.b", () => ["dot"]);
    this.get("/movies/:movie", () => ["id"]);
  });
  for (const [path, answer] of [["new", "new"], ["7", "id"], ["7/cast", "rest"], ["new/", "new"]]) {
    deepStrictEqual(await getJson(`/movies/${path}`), [answer], String(path));
  }
  await rejects(fetch("/axb"), /Your app tried to GET '\/axb'/);
  server.get("/movies/new", () => ["newer"]);
  deepStrictEqual(await getJson("/movies/new"), ["newer"]);
});

Deno.test("createFetchInterceptor() supports namespace, urlPrefix and absolute routes as Mirage does", async () => {
  using interceptor = createFetchInterceptor({ origin: "https://app.test" });
  serveRoutes(interceptor, function () {
    this.get("/a", () => ["a"]);
    this.namespace = "/v2/";
    this.get("b", () => ["b"]);
    this.get("http://other.test:81/c", () => ["c"]);
    this.urlPrefix = "";
    this.namespace = "";
    this.get("/d", () => ["d"]);
  }, { urlPrefix: "http://api.test:8080/", namespace: "v1" });
  deepStrictEqual(await getJson("http://api.test:8080/v1/a"), ["a"]);
  deepStrictEqual(await getJson("http://api.test:8080/v2/b"), ["b"]);
  deepStrictEqual(await getJson("http://other.test:81/c"), ["c"]);
  deepStrictEqual(await getJson("/d"), ["d"]);
  deepStrictEqual(await getJson("https://app.test/d"), ["d"]);
});

Deno.test("createFetchInterceptor() supports everything that a route can return", async () => {
  using interceptor = createFetchInterceptor();
  serveRoutes(interceptor, function () {
    this.get("/text", () => new MirageResponse(200, { "Content-Type": "text/plain" }, "plain"));
    this.get("/empty", () => new MirageResponse(204));
    this.get("/promise", () => Promise.resolve(["later"]));
    this.head("/text", () => new MirageResponse(200, { "X-Length": "5" }, "plain"));
    this.get("/throws", () => {
      throw new Error("broken");
    });
    this.get("/rejects", () => Promise.reject(new Error("broken later")));
  });
  // Mirage's types don't know these forms of a route
  interceptor.get("/created", () => ({ id: 1 }), 201);
  interceptor.get("/object", { fixed: true });
  const read = async (path: string, method = "GET") => {
    const response = await fetch(path, { method });
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  const json = "application/json";
  deepStrictEqual(await read("/text"), [200, "text/plain", "plain"]);
  deepStrictEqual(await read("/empty"), [204, null, ""]);
  deepStrictEqual(await read("/created"), [201, json, '{"id":1}']);
  deepStrictEqual(await read("/promise"), [200, json, '["later"]']);
  deepStrictEqual(await read("/object"), [200, json, '{"fixed":true}']);
  deepStrictEqual(await read("/text", "HEAD"), [200, json, ""]);
  for (const [path, message] of [["/throws", "broken"], ["/rejects", "broken later"]] as const) {
    const [status, type, body] = await read(path);
    deepStrictEqual([status, type, JSON.parse(String(body)).message], [500, json, message]);
  }
});

Deno.test("createFetchInterceptor() rejects requests without a route with Mirage's message", async () => {
  using interceptor = createFetchInterceptor();
  serveRoutes(interceptor, function () {
    this.namespace = "api";
    this.get("/a", () => []);
  });
  await rejects(fetch("/b?c", { method: "post" }), {
    message: "Mirage: Your app tried to POST '/b?c', but there was no route defined to handle " +
      "this request. Define a route for this endpoint in your routes() config. " +
      "Did you forget to define a namespace? The existing namespace is api",
  });
  await rejects(
    fetch("http://elsewhere.test/api/a"),
    /Your app tried to GET 'http:\/\/elsewhere.test\/api\/a'/,
  );
});

Deno.test("createFetchInterceptor() rejects like a broken connection, or waits for the client", async () => {
  using interceptor = createFetchInterceptor();
  const { schema } = serveRoutes(interceptor, () => {});
  const handler = createGraphQLHandler("type Query { hello: String }", schema);
  interceptor.post("/graphql", handler);
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: '{ "query": "{ hello }" }' };
  handler.failNext("*", "network");
  handler.failNext("*", Response.error());
  await rejects(fetch("/graphql", init), { name: "TypeError", message: "Failed to fetch" });
  await rejects(fetch("/graphql", init), { name: "TypeError", message: "Failed to fetch" });
  const controller = new AbortController();
  handler.failNext("*", "timeout");
  const asked = fetch("/graphql", { ...init, signal: controller.signal });
  await handler.seen("*");
  controller.abort();
  await rejects(asked, { name: "AbortError" });
  deepStrictEqual(await getJson("/graphql", init), { data: { hello: null } });
});

Deno.test("createFetchInterceptor() passes on requests that match passthrough()", async () => {
  await using real = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => new Response(`real ${request.method} ${new URL(request.url).pathname}`),
  );
  const origin = `http://127.0.0.1:${real.addr.port}`;
  using interceptor = createFetchInterceptor({ origin });
  serveRoutes(interceptor, function () {
    this.get("/mock", () => ["mock"]);
    this.passthrough("/some", ["post"]);
    this.passthrough("/deep/**", (request) => request.queryParams.skipMirage);
  });
  const text = async (path: string, init?: RequestInit) => await (await fetch(path, init)).text();
  strictEqual(await text(`${origin}/some`, { method: "POST", body: "x" }), "real POST /some");
  await rejects(fetch("/some"), /Your app tried to GET '\/some'/);
  strictEqual(await text(`${origin}/deep/a/b`), "real GET /deep/a/b");
  strictEqual(await text(`${origin}/mock?skipMirage`), "real GET /mock");
  strictEqual(await text("/mock"), '["mock"]');
  interceptor.passthrough();
  strictEqual(await text(`${origin}/any`), "real GET /any");
  strictEqual(await text("data:,local"), "local");
});

Deno.test("an interceptor serves one server, which must be created first", () => {
  using interceptor = createFetchInterceptor();
  throws(() => interceptor.get("/a", () => []), {
    message: 'Cannot define "/a": give the interceptor to createServer() first',
  });
  serveRoutes(interceptor, () => {});
  throws(() => serveRoutes(interceptor, () => {}), {
    message: "Cannot intercept for a second server: create an interceptor for each",
  });
  throws(() => createFetchInterceptor().create({}, {}), {
    name: "TypeError",
    message: 'Cannot intercept for "[object Object]": it is not a Mirage server',
  });
});

Deno.test("the interceptor logs responses if the server's logging is on", async () => {
  const lines: unknown[] = [];
  const log = console.log;
  console.log = (line) => lines.push(line);
  try {
    using interceptor = createFetchInterceptor();
    const server = serveRoutes(interceptor, function () {
      this.get("/a", () => []);
    });
    await fetch("/a").then((response) => response.body?.cancel());
    server.logging = true;
    await fetch("/a").then((response) => response.body?.cancel());
  } finally {
    console.log = log;
  }
  deepStrictEqual(lines, ["Mirage: [200] GET http://localhost/a"]);
});

Deno.test("failNext() breaks a stream before it starts", async () => {
  using interceptor = createFetchInterceptor();
  const server = createServer({ ...interceptor, environment: "test" });
  const handler = createGraphQLHandler(
    "type Query { size: Int } type Subscription { sized: Int }",
    server.schema,
  );
  server.post("/graphql", handler);
  for (const accept of ["text/event-stream", 'multipart/mixed;subscriptionSpec="1.0"']) {
    handler.failNext("*", "network");
    const headers = { Accept: accept, "Content-Type": "application/json" };
    const body = JSON.stringify({ query: "subscription { sized }" });
    await rejects(fetch("/graphql", { method: "POST", headers, body }), {
      name: "TypeError",
      message: "Failed to fetch",
    });
  }
});

Deno.test("createFetchInterceptor() serves GraphQL responses to a server of another copy of Mirage", async () => {
  const require = createRequire(import.meta.url);
  delete require.cache[require.resolve("miragejs")];
  const copy: typeof import("miragejs") = require("miragejs");
  ok(copy.Response !== MirageResponse);
  using interceptor = createFetchInterceptor();
  const server = copy.createServer({ ...interceptor, environment: "test" });
  const handler = createGraphQLHandler("type Query { version: String }", server.schema, {
    root: { version: "1.0" },
  });
  server.post("/graphql", handler);
  const ask = async () => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ query: "{ version }" });
    const response = await fetch("/graphql", { method: "POST", headers, body });
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  const type = "application/json; charset=utf-8";
  deepStrictEqual(await ask(), [200, type, '{"data":{"version":"1.0"}}']);
  handler.failNext("*", 503);
  strictEqual((await ask())[0], 503);
});

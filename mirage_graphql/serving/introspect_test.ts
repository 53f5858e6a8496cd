import { buildSchema, isObjectType, NoSchemaIntrospectionCustomRule } from "graphql";
import { createHandler, type HandlerOptions } from "graphql-http/lib/use/fetch";
import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import { introspect } from "./introspect.ts";
import { readSchema } from "./read_schema.ts";

const SCHEMA = buildSchema(
  "type Query { people: [Person!]! } type Person { id: ID! name: String! }",
);

/** A server on the loopback address, which is shut down with its open requests. */
function listen(answer: Deno.ServeHandler): { readonly url: string } & AsyncDisposable {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  return {
    url: `http://127.0.0.1:${server.addr.port}/graphql`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A real server of another library. */
function listenWith(options: Partial<HandlerOptions> = {}) {
  return listen(createHandler({ schema: SCHEMA, ...options }));
}

Deno.test("introspect() reads the schema of a running API", async () => {
  await using api = listenWith();
  const { Person } = readSchema([await introspect(api.url)]).getTypeMap();
  ok(isObjectType(Person));
  deepStrictEqual(Object.keys(Person.getFields()), ["id", "name"]);
});

Deno.test("introspect() sends the headers, and names the flag if they are missing", async () => {
  const handler = createHandler({ schema: SCHEMA });
  await using api = listen((request) =>
    request.headers.get("authorization") === "Bearer right"
      ? handler(request)
      : Response.json({ errors: [{ message: "Sign in" }] }, { status: 401 })
  );
  await introspect(api.url, { headers: { Authorization: "Bearer right" } });
  await rejects(introspect(api.url), {
    name: "ServeError",
    message: `Cannot introspect "${api.url}": it answers 401 Unauthorized, with the error ` +
      `"Sign in"; give the credentials, as in --header "Authorization: Bearer ..."`,
  });
});

Deno.test("introspect() explains that introspection is disabled", async () => {
  await using api = listenWith({
    validationRules: (_request, _args, rules) => [...rules, NoSchemaIntrospectionCustomRule],
  });
  await rejects(introspect(api.url), {
    message:
      /: it answers 400 Bad Request, with the error "GraphQL introspection has been disabled/,
  });
  await rejects(introspect(api.url), {
    message: /; if introspection is disabled, serve a file with the schema$/,
  });
});

Deno.test("introspect() explains other responses without a schema", async () => {
  const cases: [Response | (() => Response), RegExp][] = [
    [
      () => new Response("<!DOCTYPE html><title>Hello</title>", { status: 404 }),
      /: it answers 404 Not Found, which is not JSON but "<!DOCTYPE html><title>Hello<\/title>"; name/,
    ],
    [
      () => new Response(null, { status: 307, headers: { Location: "https://b.test/" } }),
      /: it answers 307 Temporary Redirect, a redirect to "https:\/\/b.test\/"; name that address$/,
    ],
    [() => Response.json({ data: null }), /: it answers 200 OK without a schema; /],
    [() => Response.json([]), /: it answers 200 OK without a schema; /],
    [() => new Response(new Uint8Array(2_001)), /: its answer is larger than 2000 bytes$/],
  ];
  for (const [answer, message] of cases) {
    await using api = listen(() => answer instanceof Response ? answer : answer());
    await rejects(introspect(api.url, { maxBytes: 2_000 }), { name: "ServeError", message });
  }
});

Deno.test("introspect() fails if there is no response, or it does not end", async () => {
  const hanging = new AbortController();
  const held = new Promise<Response>((resolve) => {
    hanging.signal.addEventListener("abort", () => resolve(new Response()));
  });
  const endless = () =>
    new Response(new ReadableStream({ start: (it) => it.enqueue(Uint8Array.of(32)) }));
  for (const answer of [() => held, endless]) {
    const server = listen(answer);
    await rejects(introspect(server.url, { timeoutMs: 200 }), {
      message: `Cannot introspect "${server.url}": it has not answered within 0.2 s`,
    });
    hanging.abort();
    await server[Symbol.asyncDispose]();
  }
});

Deno.test("introspect() explains that a server can't be reached", async () => {
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${taken.addr.port}/`;
  taken.close();
  await rejects(introspect(url), {
    name: "ServeError",
    message: new RegExp(`^Cannot introspect "${url}": .*connection refused`, "i"),
  });
  await rejects(introspect("http://"), { message: /^Cannot introspect "http:\/\/": .*[Uu]rl/i });
});

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createServer, Response as MirageResponse, type Server } from "miragejs";
import { createFetchHandler, createFetchInterceptor, createGraphQLHandler } from "../mod.ts";

const graphQLSchema = `
  type Person { id: ID!, name: String }
  type Query { people: [Person!]!, person: Person, fetched: Person, records: [Person] }
`;

const refused = () => new MirageResponse(401, { "X-Why": "token" }, { error: "Sign in" });

function resolversFor(server: () => Server) {
  return {
    Query: {
      people: () => {
        throw refused();
      },
      person: () => Promise.resolve(refused()),
      fetched: () =>
        Response.json({ error: "Sign in" }, { status: 401, headers: { "X-Why": "token" } }),
      records: () => new MirageResponse(202, {}, server().schema.all("person")),
    },
  };
}

const QUERIES = ["{ people { id } }", "{ person { id } }", "{ fetched { id } }"];

const jsonOf = (query: string) => ({
  method: "POST",
  body: JSON.stringify({ query }),
  headers: { "Content-Type": "application/json" },
});

Deno.test("fetch receives a Response that a resolver throws or returns from the route", async () => {
  using interceptor = createFetchInterceptor();
  const server: Server = createServer({
    ...interceptor,
    environment: "test",
    routes() {
      const resolvers = resolversFor(() => this);
      this.post("/graphql", createGraphQLHandler(graphQLSchema, this.schema, { resolvers }));
    },
  });
  server.db.loadData({ people: [{ name: "Ada" }] });
  for (const query of QUERIES) {
    const response = await fetch("/graphql", jsonOf(query));
    deepStrictEqual([response.status, response.headers.get("x-why")], [401, "token"]);
    deepStrictEqual(await response.json(), { error: "Sign in" });
  }
  const records = await fetch("/graphql", jsonOf("{ records { id } }"));
  strictEqual(records.status, 202);
  deepStrictEqual(await records.json(), { people: [{ id: "1", name: "Ada" }] });
});

Deno.test("the fetch handler returns a Response that a resolver throws or returns", async () => {
  const server = createServer({ environment: "test" });
  const resolvers = resolversFor(() => server);
  const handler = createFetchHandler(graphQLSchema, server.schema, { resolvers });
  for (const query of QUERIES) {
    const response = await handler(new Request("http://localhost/", jsonOf(query)));
    deepStrictEqual([response.status, response.headers.get("x-why")], [401, "token"]);
    deepStrictEqual(await response.json(), { error: "Sign in" });
  }
});

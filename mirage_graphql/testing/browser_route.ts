import { createServer } from "miragejs";
import { buildSchema } from "graphql";
import { createExecutor } from "../request/executor.ts";
import { createRouteHandler } from "../request/route_handler.ts";

/** Runs in a page: what fetch and XMLHttpRequest get from a route of Mirage's own interceptor. */
export async function askRoute(): Promise<unknown> {
  const root = { hello: ({ name }: { name: string }) => `Hello, ${name}` };
  const graphQLSchema = buildSchema("type Query { hello(name: String): String }");
  const handler = createRouteHandler(createExecutor(graphQLSchema, { mockSchema: {}, root }));
  const server = createServer({
    environment: "test",
    routes() {
      this.post("/graphql", handler);
      this.get("/graphql", handler);
    },
  });
  const query = '{ hello(name: "Zoë") }';
  const body = JSON.stringify({ query });
  const json = { "Content-Type": "application/json" };
  const read = async (response: Promise<Response>) => {
    const { status, headers } = await response;
    return [status, headers.get("content-type"), await (await response).text()];
  };
  const answers = {
    posted: await read(fetch("/graphql", { method: "POST", body, headers: json })),
    got: await read(fetch(`/graphql?query=${encodeURIComponent(query)}`)),
    text: (await read(fetch("/graphql", { method: "POST", body })))[0],
    bad: (await read(fetch("/graphql", { method: "POST", body: "{", headers: json })))[0],
  };
  server.shutdown();
  return answers;
}

Object.assign(globalThis, { askRoute });

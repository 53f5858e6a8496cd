import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { openSocket } from "../testing/raw_socket.ts";
import { mirageGraphQL, type MirageGraphQLOptions } from "./vite_plugin.ts";

const SCHEMA = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";

/** A server of Node that has the plugin and answers all other requests itself, and its log. */
async function startServer(root: string, options: MirageGraphQLOptions) {
  const handlers: ((request: unknown, response: unknown, next: () => void) => void)[] = [];
  const httpServer = createServer((request: IncomingMessage, response: ServerResponse) => {
    const [handler] = handlers;
    handler?.(request, response, () => response.end("the app"));
  });
  const lines: string[] = [];
  const waiting: { readonly pattern: RegExp; readonly resolve: () => void }[] = [];
  const write = (text: string) => {
    lines.push(text);
    waiting.filter(({ pattern }) => pattern.test(text)).forEach(({ resolve }) => resolve());
  };
  mirageGraphQL(options).configureServer({
    config: { root, logger: { info: write, error: write }, server: {} },
    middlewares: { use: (handler) => handlers.push(handler) },
    httpServer,
  });
  await new Promise<void>((resolve) => httpServer.listen(0, "127.0.0.1", resolve));
  const address = httpServer.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    until: async (pattern: RegExp) => {
      if (lines.some((line) => pattern.test(line))) return;
      await new Promise<void>((resolve) => waiting.push({ pattern, resolve }));
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        httpServer.close(() => resolve());
        httpServer.closeAllConnections();
      });
    },
  };
}

async function read(url: string): Promise<[status: number, text: string]> {
  const response = await fetch(url);
  return [response.status, await response.text()];
}

Deno.test("mirageGraphQL() answers at its endpoint, also over WebSocket, and leaves other requests", async () => {
  await using temp = await createTempFolder();
  await Deno.writeTextFile(`${temp.path}/schema.graphql`, SCHEMA);
  await Deno.writeTextFile(`${temp.path}/seeds.json`, '{ "people": [{ "name": "Ada" }] }');
  const options = { schema: "*.graphql", seedFile: "seeds.json", endpoint: "/api/graphql" };
  await using server = await startServer(temp.path, options);
  const { url } = server;
  const expected = '{"data":{"people":[{"name":"Ada"}]}}';
  deepStrictEqual(await read(`${url}/api/graphql?query={people{name}}`), [200, expected]);
  for (const path of ["/", "/graphql", "/api/graphql/more", "/api/graphq"]) {
    deepStrictEqual(await read(`${url}${path}`), [200, "the app"]);
  }
  await using socket = await openSocket(
    `${url.replace("http", "ws")}/api/graphql`,
    "graphql-transport-ws",
  );
  socket.send({ type: "connection_init" });
  deepStrictEqual(await socket.next(), { type: "connection_ack" });
});

Deno.test("mirageGraphQL() answers 503 while its schema is invalid, and by the mock once it is valid", async () => {
  await using temp = await createTempFolder();
  const path = `${temp.path}/schema.graphql`;
  await Deno.writeTextFile(path, "type Query {");
  await using server = await startServer("/nowhere", { schema: path });
  await server.until(/^\[mirage-graphql\] \S+schema.graphql:1:13: Syntax Error/);
  const query = `${server.url}/graphql?query={people{id}}`;
  const [status, text] = await read(query);
  strictEqual(status, 503);
  match(text, /"Cannot answer: the schema is invalid, as the log of the dev server says"/);
  await Deno.writeTextFile(`${path}.new`, SCHEMA);
  await Deno.rename(`${path}.new`, path);
  await server.until(/Read again: 5 people$/);
  strictEqual((await read(query))[0], 200);
});

Deno.test("mirageGraphQL() rejects an endpoint that is no path, and unknown options", () => {
  throws(() => mirageGraphQL({ schema: "a.graphql", endpoint: "graphql" }), {
    name: "TypeError",
    message: 'Cannot serve at "graphql": it must be a path such as "/graphql"',
  });
  const options = { schema: "a.graphql", latncy: 1 };
  throws(() => mirageGraphQL(options), {
    message: 'Cannot use "latncy": there is no such key; did you mean "latency"',
  });
});

import { deepStrictEqual, ok } from "node:assert/strict";
import { createServer } from "miragejs";
import { createFetchHandler, type FetchHandler } from "../mod.ts";
import { createWebSocketHandler, type WebSocketHandler } from "../ws.ts";

/** A mock to which surfaces send what no client would send. */
export interface FuzzMock {
  readonly handler: FetchHandler;
  readonly sockets: WebSocketHandler;
  close(): void;
}

/** The schema of the mock. */
const SCHEMA = `
  scalar Upload
  type Person { id: ID! name: String! photo: String friends: [Person!]! }
  input PersonInput { name: String photo: Upload photos: [Upload] nested: PersonInput }
  type Query { people(name: String): [Person!]! person(id: ID!): Person }
  type Mutation { describe(input: PersonInput!): String! }
  type Subscription { personCreated: Person! }
`;

/** Creates a mock of two people, which no request changes. */
export function createFuzzMock(): FuzzMock {
  const server = createServer({ environment: "test" });
  const resolvers = {
    Mutation: {
      describe: (_: unknown, { input }: { input: object }) => Object.keys(input).join(),
    },
  };
  const handler = createFetchHandler(SCHEMA, server.schema, {
    resolvers,
    cors: true,
    graphiql: () => "<p>page</p>",
    batch: { max: 3 },
    maxBodyBytes: 200_000,
    maxFiles: 3,
    maxFileBytes: 1_000,
  });
  const sockets = createWebSocketHandler(SCHEMA, server.schema, { resolvers });
  server.db.loadData({ people: [{ name: "Ada" }, { name: "Grace" }] });
  return {
    handler,
    sockets,
    close: () => {
      sockets.close();
      server.shutdown();
    },
  };
}

/** A place in this repository's files, which no answer repeats. */
const STACK =
  /\n {4}at |file:\/\/\/|\.ts:\d+:\d+|Cannot read properties|is not (?:a function|iterable)/;

/** Throws if a response is not what GraphQL over HTTP says, or shows that the mock has failed. */
export async function checkResponse(response: Response): Promise<void> {
  const { status, headers } = response;
  const text = await response.text();
  ok(status >= 200 && status < 500, `status ${status}: ${text}`);
  ok(!STACK.test(text), `it shows a failure: ${text}`);
  const type = headers.get("content-type") ?? "";
  if (/^application\/(?:graphql-response\+)?json/.test(type)) {
    for (const result of [JSON.parse(text)].flat()) checkResult(result);
  } else {
    ok(text === "" || /^(?:text|multipart)\//.test(type), `type "${type}": ${text}`);
  }
}

/** Throws if a value is not a result of an operation (GraphQL specification, "Response"). */
export function checkResult(result: unknown): void {
  ok(typeof result === "object" && result !== null, JSON.stringify(result));
  ok("data" in result || "errors" in result, JSON.stringify(result));
  if (!("errors" in result)) return;
  ok(Array.isArray(result.errors) && result.errors.length > 0, JSON.stringify(result));
  for (const { message } of result.errors) ok(typeof message === "string" && message !== "");
}

/** Throws if the mock does not answer an ordinary request. */
export async function checkAlive(handler: FetchHandler): Promise<void> {
  const response = await handler(
    new Request("http://mock.test/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"query":"{ people { name } }"}',
    }),
  );
  deepStrictEqual(await response.json(), {
    data: { people: [{ name: "Ada" }, { name: "Grace" }] },
  });
}

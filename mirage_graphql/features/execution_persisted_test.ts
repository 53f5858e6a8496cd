import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { parse } from "graphql";
import { createServer } from "miragejs";
import { createFetchHandler } from "../mock/fetch_handler.ts";
import { createGraphQLHandler, type HandlerOptions } from "../mock/handler.ts";

const SCHEMA = `
  type Person { id: ID! name: String! }
  type Query { people: [Person!]! }
  type Mutation { createPerson(input: PersonInput!): Person! }
  input PersonInput { name: String! }
  type Subscription { personCreated: Person! }
`;
const PEOPLE = "query People { people { name } }";
const NAMES = { data: { people: [{ name: "Ada" }] } };
const NOT_FOUND = {
  errors: [{
    message: "PersistedQueryNotFound",
    extensions: { code: "PERSISTED_QUERY_NOT_FOUND" },
  }],
};

function serve(options: HandlerOptions = {}) {
  const server = createServer({ environment: "test" });
  const handler = createGraphQLHandler(SCHEMA, server.schema, { batch: true, ...options });
  server.db.loadData({ people: [{ name: "Ada" }] });
  const send = async (requestBody: object) => {
    const { code, body } = await handler(server.schema, { requestBody });
    return [code, JSON.parse(JSON.stringify(body))];
  };
  return { server, handler, send };
}

function hashOf(query: string): object {
  const sha256Hash = createHash("sha256").update(query).digest("hex");
  return { persistedQuery: { version: 1, sha256Hash } };
}

Deno.test("an automatic persisted query is not found once, and kept from then on", async () => {
  const { send } = serve();
  const extensions = hashOf(PEOPLE);
  deepStrictEqual(await send({ extensions }), [200, NOT_FOUND]);
  deepStrictEqual(await send({ query: PEOPLE, extensions }), [200, NAMES]);
  deepStrictEqual(await send({ extensions }), [200, NAMES]);
  deepStrictEqual(await send({ query: PEOPLE, extensions }), [200, NAMES]);
});

Deno.test("automatic persisted queries work by GET, in batches and by event stream", async () => {
  const { server, send } = serve();
  const extensions = hashOf(PEOPLE);
  deepStrictEqual(await send([{ extensions }, { query: PEOPLE }]), [200, [NOT_FOUND, NAMES]]);
  const handler = createFetchHandler(SCHEMA, server.schema);
  const url = `http://localhost/graphql?extensions=${
    encodeURIComponent(JSON.stringify(extensions))
  }`;
  const ask = async (address: string, accept: string) =>
    await (await handler(new Request(address, { headers: { accept } }))).text();
  strictEqual(await ask(url, "application/json"), JSON.stringify(NOT_FOUND));
  const registered = `${url}&query=${encodeURIComponent(PEOPLE)}`;
  strictEqual(await ask(registered, "application/json"), JSON.stringify(NAMES));
  const events = await ask(url, "text/event-stream");
  strictEqual(events.includes(`event: next\ndata: ${JSON.stringify(NAMES)}\n`), true, events);
});

Deno.test("a document with a wrong hash is rejected, and not kept", async () => {
  const { send } = serve();
  const extensions = hashOf("{ other }");
  const [status, body] = await send({ query: PEOPLE, extensions });
  strictEqual(status, 400);
  strictEqual(body.errors[0].extensions.code, "PERSISTED_QUERY_HASH_MISMATCH");
  deepStrictEqual(await send({ extensions }), [200, NOT_FOUND]);
});

Deno.test("at most maxDocuments automatic persisted queries are kept, and no long ones", async () => {
  const { send } = serve({ maxDocuments: 2 });
  const queries = ["a", "b", "c"].map((name) => `query ${name} { people { name } }`);
  for (const query of queries) await send({ query, extensions: hashOf(query) });
  const kept = await Promise.all(queries.map((query) => send({ extensions: hashOf(query) })));
  deepStrictEqual(kept, [[200, NOT_FOUND], [200, NAMES], [200, NAMES]]);
  const long = `${PEOPLE} # ${"x".repeat(70_000)}`;
  await send({ query: long, extensions: hashOf(long) });
  deepStrictEqual(await send({ extensions: hashOf(long) }), [200, NOT_FOUND]);
});

Deno.test("persistedOperations contains trusted documents, under every name of an id", async () => {
  const byId = { People: PEOPLE, Parsed: parse(PEOPLE) };
  const lookUp = (id: string) => Promise.resolve(id === "People" ? PEOPLE : null);
  for (const persistedOperations of [byId, lookUp]) {
    const { send } = serve({ persistedOperations });
    deepStrictEqual(await send({ documentId: "People" }), [200, NAMES]);
    deepStrictEqual(await send({ id: "People" }), [200, NAMES]);
    const extensions = { persistedQuery: { version: 1, sha256Hash: "People" } };
    deepStrictEqual(await send({ extensions }), [200, NAMES]);
    const message = 'Cannot run the operation "toString": persistedOperations has no document ' +
      "with this id";
    const unknown = { message, extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } };
    deepStrictEqual(await send({ documentId: "toString" }), [404, { errors: [unknown] }]);
    deepStrictEqual(await send({ query: PEOPLE }), [200, NAMES]);
  }
  deepStrictEqual(await serve({ persistedOperations: byId }).send({ id: "Parsed" }), [200, NAMES]);
});

Deno.test("persistedOnly rejects other documents, but not those of handler.query()", async () => {
  const { send, handler } = serve({ persistedOperations: { People: PEOPLE }, persistedOnly: true });
  deepStrictEqual(await send({ documentId: "People" }), [200, NAMES]);
  const [status, body] = await send({ query: PEOPLE });
  deepStrictEqual([status, body.errors[0].extensions.code], [403, "PERSISTED_QUERY_ONLY"]);
  const extensions = hashOf(PEOPLE);
  deepStrictEqual(await send({ query: PEOPLE, extensions }), [200, NOT_FOUND]);
  deepStrictEqual(await send({ extensions }), [200, NOT_FOUND]);
  // the document of a request that also has an id is ignored
  const query = "{ people { id } }";
  deepStrictEqual(await send({ query, documentId: "People" }), [200, NAMES]);
  deepStrictEqual(await handler.query(query), { people: [{ id: "1" }] });
});

Deno.test("a lookup that fails is a 500 with its reason", async () => {
  const fail = () => {
    throw new Error("no network");
  };
  for (const persistedOperations of [fail, () => Promise.reject(new Error("no network"))]) {
    const { send } = serve({ persistedOperations });
    const errors = [{ message: "Cannot run the operation: no network" }];
    deepStrictEqual(await send({ documentId: "People" }), [500, { errors }]);
  }
});

Deno.test("invalid options of persisted operations are rejected", () => {
  throws(() => serve({ persistedOnly: true }), {
    name: "TypeError",
    message: "Cannot use persistedOnly without persistedOperations: nothing could run",
  });
  // @ts-expect-error a text is not a map
  throws(() => serve({ persistedOperations: "People" }), {
    name: "TypeError",
    message: 'Cannot use persistedOperations "People": it must be an object of documents by id, ' +
      "or a function of an id",
  });
});

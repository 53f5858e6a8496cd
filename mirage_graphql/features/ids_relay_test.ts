import { deepStrictEqual } from "node:assert/strict";
import { loadMock } from "../serving/load_mock.ts";
import { createMockServer } from "../testing/mock_server.ts";
import { createRelayClient } from "../testing/relay_client.ts";

const SCHEMA = `
  type Person { id: ID! name: String! }
  type Tag { id: ID! name: String! }
  type Query { people: [Person!]! tags: [Tag!]! }
`;

const DATA = {
  people: [{ id: "1", name: "Ada" }, { id: "2", name: "Bea" }],
  tags: [{ id: "1", name: "red" }],
};

const LISTS = {
  people: { type: "Person", fields: ["id", "name"] },
  tags: { type: "Tag", fields: ["id", "name"] },
};

type Send = Parameters<typeof createRelayClient>[0];

/** The names that Relay reads from its cache. */
async function namesInCache(send: Send): Promise<unknown> {
  const read = await createRelayClient(send).read(LISTS) as Record<
    keyof typeof LISTS,
    readonly { readonly name: string }[]
  >;
  return [...read.people, ...read.tags].map(({ name }) => name);
}

Deno.test("Relay's cache confuses records with local ids, which are the same in two types", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  deepStrictEqual(await namesInCache(data), ["red", "Bea", "red"]);
});

for (const ids of ["global", "global-base64"] as const) {
  Deno.test(`Relay's cache keeps records with ${ids} ids apart`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, ids });
    deepStrictEqual(await namesInCache(data), ["Ada", "Bea", "red"]);
  });
}

Deno.test("Relay's cache keeps records of serve apart, whose local ids are unique", async () => {
  const mock = await loadMock([{ path: "a.graphql", text: SCHEMA }]);
  const sent: Record<string, readonly { readonly name: string }[]>[] = [];
  const read = await namesInCache(async (query) => {
    const url = `http://localhost/?query=${encodeURIComponent(query)}`;
    const { data } = await (await mock.respond(new Request(url))).json();
    sent.push(data);
    return data;
  });
  mock.close();
  const { people = [], tags = [] } = sent[0] ?? {};
  deepStrictEqual([people.length, tags.length], [5, 5]);
  deepStrictEqual(read, [...people, ...tags].map(({ name }) => name));
});

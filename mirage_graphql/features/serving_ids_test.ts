import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { ServeConfig } from "../serving/serve_config.ts";
import { loadMock, type Mock } from "../serving/load_mock.ts";

const SCHEMA = `
  interface Node { id: ID! }
  type Person implements Node { id: ID! name: String! posts: [Post!]! }
  type Post implements Node { id: ID! title: String! author: Person! personId: ID }
  type Tag implements Node { id: ID! label: String! }
  input TagInput { label: String! }
  type Query {
    people: [Person!]! posts: [Post!]! tags: [Tag!]!
    node(id: ID!): Node nodes(ids: [ID!]!): [Node]!
  }
  type Mutation { createTag(input: TagInput!): Tag createPerson(name: String!): Person }
`;

const ALL = "{ people { id __typename } posts { id __typename } tags { id __typename } }";

type Answer = Readonly<Record<string, { readonly id: string; readonly __typename: string }[]>>;

async function ask(mock: Mock, query: string): Promise<Answer> {
  const body = JSON.stringify({ query });
  const headers = { "Content-Type": "application/json" };
  const response = await mock.respond(
    new Request("http://localhost/", { method: "POST", headers, body }),
  );
  const { data, errors } = await response.json();
  strictEqual(errors, undefined, JSON.stringify(errors));
  return data;
}

async function serving(
  seeds: object | undefined,
  act: (mock: Mock) => Promise<void>,
  config: ServeConfig = {},
): Promise<void> {
  const seedFile = seeds && { path: "seeds.json", text: JSON.stringify(seeds) };
  const mock = await loadMock([{ path: "a.graphql", text: SCHEMA }], { seedFile, config });
  try {
    await act(mock);
  } finally {
    mock.close();
  }
}

/** Each id belongs to one record, which `node` and `nodes` find. */
async function checkUnique(mock: Mock): Promise<void> {
  const nodes = Object.values(await ask(mock, ALL)).flat();
  const ids = nodes.map(({ id }) => id);
  strictEqual(new Set(ids).size, ids.length, ids.join());
  const list = JSON.stringify(ids);
  deepStrictEqual(
    (await ask(mock, `{ nodes(ids: ${list}) { id __typename } }`)).nodes,
    nodes,
  );
  for (const one of nodes) {
    const { node } = await ask(mock, `{ node(id: "${one.id}") { id __typename } }`);
    deepStrictEqual(node, one);
  }
}

Deno.test("serve gives every record a unique id, and node() finds it", () =>
  serving(undefined, async (mock) => {
    await checkUnique(mock);
    const { createTag, createPerson } = await ask(
      mock,
      `mutation { createTag(input: { label: "x" }) { id } createPerson(name: "Ada") { id } }`,
    );
    deepStrictEqual([createTag, createPerson], [{ id: "16" }, { id: "17" }]);
    await checkUnique(mock);
  }));

Deno.test("serve's foreign keys without a relation refer to records of their type", () =>
  serving(undefined, async (mock) => {
    const { people = [], posts = [] } = await ask(mock, "{ people { id } posts { personId } }");
    const ids = people.map(({ id }) => id);
    for (const post of posts) ok(ids.includes(Reflect.get(post, "personId")));
  }));

Deno.test("serve keeps the ids of a seed file, and continues counting after them", () =>
  serving({
    people: [{ name: "Ada", posts: [{ title: "One" }] }, { id: 7, name: "Bea" }],
    tags: [{ label: "a" }, { id: "5", label: "b" }],
  }, async (mock) => {
    const { people, posts, tags } = await ask(mock, "{ people { id } posts { id } tags { id } }");
    deepStrictEqual([people, posts, tags], [
      [{ id: "8" }, { id: "7" }],
      [{ id: "9" }],
      [{ id: "10" }, { id: "5" }],
    ]);
    await checkUnique(mock);
  }));

Deno.test("serve writes ids in the format of its settings", () =>
  serving(undefined, async (mock) => {
    const { people: [ada] = [] } = await ask(mock, "{ people { id } }");
    strictEqual(atob(ada?.id ?? ""), "Person:1");
    await checkUnique(mock);
  }, { ids: "global-base64" }));

import { deepStrictEqual } from "node:assert/strict";
import { createMutationServer, messagesOf } from "../testing/mutation_server.ts";

const LIBRARY = `
  interface Node { id: ID! }
  interface Named { name: String }
  union Item = Book | Film
  type Query { books: [Book] films: [Film] tags: [Tag] }
  type Book implements Node { id: ID! title: String pages: Int author: Person }
  type Film implements Node { id: ID! title: String minutes: Int }
  type Tag implements Node & Named { id: ID! name: String }
  type Person implements Node { id: ID! name: String books: [Book!] }
  input CreateFilmInput { title: String }
  input Anything { title: String }
  input Paged { title: String pages: Int authorId: ID clientMutationId: String }
  input Changes { minutes: Int }
  type Mutation {
    create(input: CreateFilmInput!): Item
    createBook(input: Anything!): Node!
    createPaged(input: Paged!): Item
    createNamed(input: TagInput!): Named
    createItem(input: Anything!): Item
    updateItem(id: ID!, changes: Changes!): Item
    updateNode(id: ID!, input: Anything!): Node
    updateBook(id: ID!, input: Anything!): Item
    deleteItem(id: ID!): Item
    deleteFilm(id: ID!): Node
  }
  input TagInput { anything: String }
`;

async function typesOf(document: string, seed = true): Promise<unknown> {
  using server = createMutationServer(LIBRARY);
  for (const name of seed ? ["book", "film"] : []) server.seed(name, { title: "old" });
  const result = await server.run(document);
  const messages = messagesOf(result);
  return messages.length > 0 ? messages : JSON.parse(JSON.stringify(result.data?.at));
}

const CREATED: readonly (readonly [string, string, string])[] = [
  ["create(input: {})", "Film", "its input's name"],
  ["createBook(input: {})", "Book", "its own name"],
  ["createPaged(input: { pages: 1 })", "Book", "the input's fields"],
  ["createNamed(input: {})", "Tag", "its only member"],
];

for (const [call, typeName, by] of CREATED) {
  Deno.test(`a creation that returns an abstract type finds its type by ${by}`, async () => {
    deepStrictEqual(await typesOf(`mutation { at: ${call} { __typename } }`), {
      __typename: typeName,
    });
  });
}

Deno.test("a creation whose type can't be determined is an error, and creates nothing", async () => {
  using server = createMutationServer(LIBRARY);
  const result = await server.run(`mutation { createItem(input: {}) { __typename } }`);
  deepStrictEqual(messagesOf(result), [
    "Could not find a default resolver for createItem. Please supply a resolver for this mutation. " +
    "It returns Item, and nothing says which of Book, Film to create. " +
    "Write resolvers: { Mutation: { createItem(obj, args, context, info) { ... } } }",
  ]);
  deepStrictEqual(Object.values(server.dump()).flat(), []);
});

const CHANGED: readonly (readonly [string, string])[] = [
  ["updateItem(id: 1, changes: { minutes: 2 }) { __typename ... on Film { minutes } }", "Film"],
  ['updateBook(id: 1, input: { title: "new" }) { __typename ... on Book { title } }', "Book"],
  ["deleteFilm(id: 1) { __typename ... on Film { title } }", "Film"],
];

for (const [call, typeName] of CHANGED) {
  Deno.test(`${call.slice(0, 10)} of two records with one id writes the ${typeName}`, async () => {
    const { __typename, ...rest } = await typesOf(`mutation { at: ${call} }`) as Record<
      string,
      unknown
    >;
    deepStrictEqual([__typename, Object.keys(rest).length], [typeName, 1]);
  });
}

Deno.test("an id of two members is an error that names both", async () => {
  deepStrictEqual(await typesOf(`mutation { at: deleteItem(id: 1) { __typename } }`), [
    'Cannot delete "1": Book and Film both have a record with this id, and the mutation does not ' +
    "say which one",
  ]);
});

Deno.test("an id of one member finds that record", async () => {
  using server = createMutationServer(LIBRARY);
  server.seed("film", { title: "old" });
  server.seed("tag", { id: "t" });
  const result = await server.run(`mutation {
    updateNode(id: 1, input: { title: "new" }) { __typename ... on Film { title } }
    deleteItem(id: 1) { __typename ... on Film { title } }
  }`);
  deepStrictEqual(JSON.parse(JSON.stringify(result)), {
    data: {
      updateNode: { __typename: "Film", title: "new" },
      deleteItem: { __typename: "Film", title: "new" },
    },
  });
});

Deno.test("an unknown id is an error that names all members", async () => {
  deepStrictEqual(await typesOf(`mutation { at: deleteItem(id: 7) { __typename } }`), [
    'Cannot delete Book or Film "7": there is no record with this id',
  ]);
});

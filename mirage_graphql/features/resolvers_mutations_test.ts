import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createMutationServer, messagesOf } from "../testing/mutation_server.ts";

const BLOG = `
  type Query { posts: [Post] people: [Person] }
  type Person { id: ID! name: String address: Address posts: [Post!]! comments: [Comment!]! }
  type Address { city: String lines: [String] }
  type Post { id: ID! title: String author: Person comments: [Comment!]! }
  type Comment { id: ID! text: String post: Post author: Person }
  input AddressInput { city: String lines: [String] }
  input PersonInput { id: ID name: String address: AddressInput posts: [PostInput!] postIds: [ID!] }
  input PostInput {
    id: ID title: String author: PersonInput authorId: ID comments: [CommentInput!] commentIds: [ID!]
  }
  input PostChanges { id: ID title: String author: ID comments: [ID!] }
  input CommentInput { id: ID text: String postId: ID authorId: ID }
  type Mutation {
    createPerson(input: PersonInput): Person
    addPost(what: PostInput!): Post!
    updatePerson(id: ID, input: PersonInput): Person
    changePost(changes: PostChanges!, which: ID!): Post!
    deletePerson(id: ID): Person
    removePost(post: ID!): Post
  }
`;

Deno.test("a mutation with one input object creates a record, and returns it with relations", async () => {
  using server = createMutationServer(BLOG);
  const result = await server.run(`mutation {
    createPerson(input: { name: "Ada", posts: [{ title: "One", comments: [{ text: "!" }] }] }) {
      __typename id name posts { id title author { name } comments { text } }
    }
  }`);
  deepStrictEqual(JSON.parse(JSON.stringify(result)), {
    data: {
      createPerson: {
        __typename: "Person",
        id: "1",
        name: "Ada",
        posts: [{ id: "1", title: "One", author: { name: "Ada" }, comments: [{ text: "!" }] }],
      },
    },
  });
  deepStrictEqual(server.table("posts")[0]?.authorId, "1");
});

Deno.test("an update changes the given attributes, whatever the names of its arguments", async () => {
  using server = createMutationServer(BLOG);
  server.seed("person", { name: "Ada" });
  server.seed("post", { title: "One", authorId: "1" });
  const result = await server.run(
    `mutation Change($which: ID!, $changes: PostChanges!) {
      changePost(changes: $changes, which: $which) { title author { name } }
    }`,
    { which: 1, changes: { title: "Two" } },
  );
  deepStrictEqual(JSON.parse(JSON.stringify(result)), {
    data: { changePost: { title: "Two", author: { name: "Ada" } } },
  });
});

Deno.test("a deletion returns the record as it was, with its relations", async () => {
  using server = createMutationServer(BLOG);
  server.seed("person", { name: "Ada" });
  server.seed("post", { title: "One", authorId: "1" });
  server.seed("comment", { text: "!", postId: "1", authorId: "1" });
  const result = await server.run(
    `mutation { removePost(post: 1) { id title author { name posts { id } } comments { text post { id } } } }`,
  );
  deepStrictEqual(JSON.parse(JSON.stringify(result)), {
    data: {
      removePost: {
        id: "1",
        title: "One",
        author: { name: "Ada", posts: [] },
        comments: [{ text: "!", post: null }],
      },
    },
  });
  deepStrictEqual(server.table("posts"), []);
});

Deno.test("several mutations in one document run in order, under aliases", async () => {
  using server = createMutationServer(BLOG);
  const result = await server.run(
    `mutation Many($input: PersonInput, $id: ID = 1) {
      first: createPerson(input: { name: "A" }) { id }
      second: createPerson(input: $input) { id name }
      renamed: updatePerson(id: $id, input: { name: "C" }) { id name }
      gone: deletePerson(id: $id) { name }
    }`,
    { input: { name: "B" } },
  );
  deepStrictEqual(JSON.parse(JSON.stringify(result.data)), {
    first: { id: "1" },
    second: { id: "2", name: "B" },
    renamed: { id: "1", name: "C" },
    gone: { name: "C" },
  });
  deepStrictEqual(server.table("people").map(({ name }) => name), ["B"]);
});

Deno.test("an unknown id returns null and an error that names the missing record", async () => {
  using server = createMutationServer(BLOG);
  const result = await server.run(`mutation {
    updatePerson(id: 7, input: { name: "X" }) { id }
    deletePerson(id: "x y") { id }
  }`);
  deepStrictEqual(JSON.parse(JSON.stringify(result.data)), {
    updatePerson: null,
    deletePerson: null,
  });
  deepStrictEqual(messagesOf(result), [
    'Cannot update Person "7": there is no record with this id',
    'Cannot delete Person "x y": there is no record with this id',
  ]);
  deepStrictEqual(result.errors?.map(({ extensions, path }) => [extensions.code, path]), [
    ["NOT_FOUND", ["updatePerson"]],
    ["NOT_FOUND", ["deletePerson"]],
  ]);
});

Deno.test("an unknown id of a non-null field returns no data", async () => {
  using server = createMutationServer(BLOG);
  const result = await server.run(`mutation { changePost(which: 7, changes: {}) { id } }`);
  strictEqual(result.data, null);
  deepStrictEqual(messagesOf(result), [
    'Cannot update Post "7": there is no record with this id',
  ]);
});

Deno.test("a null argument is an error that names it", async () => {
  using server = createMutationServer(BLOG);
  server.seed("person", { name: "Ada" });
  const before = server.dump();
  const result = await server.run(`mutation {
    a: createPerson(input: null) { id }
    b: createPerson { id }
    c: updatePerson(id: 1) { id }
    d: updatePerson(input: { name: "X" }) { id }
    e: deletePerson(id: null) { id }
  }`);
  deepStrictEqual(messagesOf(result), [
    'Cannot create a Person: the argument "input" is null or missing',
    'Cannot create a Person: the argument "input" is null or missing',
    'Cannot update a Person: the argument "input" is null or missing',
    'Cannot update a Person: the argument "id" is null or missing',
    'Cannot delete a Person: the argument "id" is null or missing',
  ]);
  deepStrictEqual(server.dump(), before);
});

Deno.test("a taken id and a changed id are errors that change nothing", async () => {
  using server = createMutationServer(BLOG);
  server.seed("person", { name: "Ada" });
  const before = server.dump();
  const result = await server.run(`mutation {
    createPerson(input: { id: 1, name: "B", posts: [{ title: "new" }] }) { id }
    updatePerson(id: 1, input: { id: 2, name: "B" }) { id }
  }`);
  deepStrictEqual(messagesOf(result), [
    'Cannot create Person "1": a record with this id exists',
    'Cannot update Person "1": its input carries another id, "2", and ids can\'t change',
  ]);
  deepStrictEqual(result.errors?.[0]?.extensions.code, "BAD_USER_INPUT");
  deepStrictEqual(server.dump(), before);
});

Deno.test("values of variables are copied: later changes to them do not reach the database", async () => {
  using server = createMutationServer(BLOG);
  const lines = ["1 Main St"];
  const input = { name: "Ada", address: { city: "Paris", lines } };
  await server.run(`mutation M($input: PersonInput) { createPerson(input: $input) { id } }`, {
    input,
  });
  lines.push("changed");
  input.address.city = "changed";
  deepStrictEqual(server.table("people")[0]?.address, { city: "Paris", lines: ["1 Main St"] });
});

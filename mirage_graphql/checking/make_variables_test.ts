import { deepStrictEqual, match, ok } from "node:assert/strict";
import { buildSchema, parse } from "graphql";
import { tableOf } from "../orm/writes/record_ref.ts";
import { prepareMocks } from "./checked_mock.ts";
import { makeVariables } from "./make_variables.ts";

const SCHEMA = buildSchema(`
  type Post { id: ID! title: String! author: User! }
  type User implements Likable { id: ID! username: String! }
  interface Likable { id: ID! }
  type Wall implements Likable { id: ID! notes: [Note!]! }
  type Note { id: ID! text: String! }
  enum Order { NEWEST OLDEST }
  input PostInput { id: ID title: String! authorId: ID! tags: [TagInput!] part: PartInput! }
  input TagInput { name: String! }
  input PartInput { at: Int! more: PartInput }
  input PostFilter { title: String }
  type Group { id: Int! name: String! members: [Member!]! }
  type Member { id: ID! name: String! groups: [Group!]! channel: Channel }
  type Channel { id: ID! slug: String! }
  type MemberPayload { group: Group }
  type LikePayload { likable: Likable }
  type NotePayload { note: Note likable: Likable }
  type Query {
    walls: [Wall!]!
    post(id: ID!): Post
    groups: [Group!]! channels: [Channel!]! members: [Member!]!
    posts(order: Order, first: Int, after: String, filter: PostFilter, title: String): [Post!]!
    user(username: String!): User
  }
  type Mutation {
    createPost(input: PostInput!): Post!
    updatePost(input: PostInput!): Post!
    follow(userIds: [ID!]!): User
    greet(username: ID!): User
    addPost(userUsername: ID!, title: String!): Post
    usersMerge(source: [ID!]!, destination: ID!): User
    addMember(name: String!, groups: [Int]!, channel: String!): Member
    memberAdd(id: ID!, name: String!): MemberPayload
    like(likableId: ID!): LikePayload
    addNote(likableId: ID!, text: String!): NotePayload
  }
`);

const { orm } = prepareMocks(SCHEMA)();
tableOf(orm.mirageSchema, "user").remove("1"); // so that ids of the two types differ
const [post] = orm.store.of(orm.models.models.find(({ typeName }) => typeName === "Post")!)
  .select();
const [user] = orm.store.of(orm.models.models.find(({ typeName }) => typeName === "User")!)
  .select();

function variables(document: string): Record<string, unknown> {
  return makeVariables(orm, parse(document));
}

Deno.test("makeVariables() takes ids and values of records", () => {
  deepStrictEqual(variables("query ($a: ID!) { post(id: $a) { id } }"), { a: post?.id });
  deepStrictEqual(variables("query ($name: String!) { user(username: $name) { id } }"), {
    name: user?.username,
  });
  deepStrictEqual(variables("mutation ($ids: [ID!]!) { follow(userIds: $ids) { id } }"), {
    ids: [user?.id],
  });
});

Deno.test("makeVariables() takes what identifies a record from it, and merges two different ones", () => {
  deepStrictEqual(variables("mutation ($name: ID!) { greet(username: $name) { id } }"), {
    name: user?.username,
  });
  const adding = 'mutation ($of: ID!) { addPost(userUsername: $of, title: "A") { id } }';
  deepStrictEqual(variables(adding), { of: user?.username });
  const merging =
    "mutation ($s: [ID!]!, $d: ID!) { usersMerge(source: $s, destination: $d) { id } }";
  const { s: [merged] = [], d: kept } = variables(merging) as { s?: string[]; d?: string };
  ok(merged !== undefined && kept === user?.id && merged !== kept);
});

Deno.test("makeVariables() takes an id of an interface from what the payload may have", () => {
  const { orm } = prepareMocks(SCHEMA, { ids: "global" })();
  const made = (document: string) => makeVariables(orm, parse(document));
  deepStrictEqual(made("mutation ($a: ID!) { like(likableId: $a) { likable { id } } }"), {
    a: "User:1",
  });
  const adding = 'mutation ($a: ID!) { addNote(likableId: $a, text: "A") { note { id } } }';
  deepStrictEqual(made(adding), { a: "Wall:1" });
});

Deno.test("makeVariables() takes what a relation of a new record leads to, and the id of what it is in", () => {
  const { channels, groups } = Object.fromEntries(
    orm.models.models.map((model) => [model.collectionName, orm.store.of(model).select()]),
  );
  const adding = `mutation ($in: [Int]!, $of: String!) {
    addMember(name: "A", groups: $in, channel: $of) { id }
  }`;
  deepStrictEqual(variables(adding), { in: [Number(groups?.[0]?.id)], of: channels?.[0]?.slug });
  const inside = 'mutation ($id: ID!) { memberAdd(id: $id, name: "A") { group { id } } }';
  deepStrictEqual(variables(inside), { id: groups?.[0]?.id });
  const named = 'mutation ($groupId: ID!) { memberAdd(id: $groupId, name: "A") { group { id } } }';
  deepStrictEqual(variables(named), { groupId: groups?.[0]?.id });
});

Deno.test("makeVariables() leaves out defaults, filters, and what only a second page has", () => {
  const document = `query ($order: Order, $first: Int = 5, $after: String, $filter: PostFilter) {
    posts(order: $order, first: $first, after: $after, filter: $filter) { id }
  }`;
  deepStrictEqual(variables(document), { order: "NEWEST" });
});

Deno.test("makeVariables() gives new records new values, and other ones their own id", () => {
  const document = (field: string) => `mutation ($i: PostInput!) { ${field}(input: $i) { id } }`;
  const { i: created } = variables(document("createPost"));
  const { i: updated } = variables(document("updatePost"));
  ok(isRecord(created) && isRecord(updated));
  deepStrictEqual(Object.keys(created), ["id", "title", "authorId", "part"]);
  match(String(created.id), /^new-/);
  ok(created.title !== post?.title && typeof created.title === "string");
  deepStrictEqual(created.authorId, user?.id);
  ok(isRecord(created.part) && Number.isInteger(created.part.at));
  deepStrictEqual([updated.id, updated.title], [post?.id, post?.title]);
});

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

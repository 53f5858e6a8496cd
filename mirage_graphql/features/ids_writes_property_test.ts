import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { times } from "../../test_support/tier.ts";
import { parseGlobalId, toGlobalId } from "../relay/global_id.ts";
import { createMockServer } from "../testing/mock_server.ts";
import { withLocalIds } from "../testing/properties/with_global_ids.ts";

const RUNS = Number(Deno.env.get("PROPERTY_RUNS") ?? 40);
/** What is counted must not depend on chance: the same steps each time. */
const COUNTED = { numRuns: times(8, 20), seed: 1 };

const SCHEMA = `
  interface Node { id: ID! }
  type Person implements Node { id: ID! posts: [Post!]! favorite: Node }
  type Post implements Node { id: ID! author: Person authorId: ID tags: [Tag!]! tagIds: [ID!] }
  type Tag implements Node { id: ID! posts: [Post!]! }
  input IdExp { eq: ID ne: ID in: [ID!] notIn: [ID!] lt: ID }
  input PersonWhere { id: IdExp posts: PostWhere }
  input PostWhere { id: IdExp authorId: IdExp author: PersonWhere tags: TagWhere not: PostWhere }
  input TagWhere { id: IdExp }
  input PostInput { authorId: ID tagIds: [ID!] tags: TagWrites }
  input TagKey { id: ID }
  input TagWrites { connect: [TagKey!] disconnect: [TagKey!] set: [TagKey!] }
  input PersonInput { postIds: [ID!] favoriteId: ID }
  type Query {
    people(where: PersonWhere): [Person!]!
    posts(where: PostWhere, authorId: ID, ids: [ID!]): [Post!]!
    person(id: ID!): Person
    post(id: ID!): Post
    nodes(ids: [ID!]!): [Node]!
  }
  type Mutation {
    createPost(input: PostInput!): Post
    updatePost(id: ID!, input: PostInput!): Post
    deletePost(id: ID!): Post
    deletePosts(ids: [ID!]!): [Post!]!
    updatePerson(id: ID!, input: PersonInput!): Person
  }
`;

const DATA = {
  people: [{ id: "1", postIds: ["1"] }, { id: "2", postIds: [] }, { id: "3", postIds: [] }],
  posts: [
    { id: "1", authorId: "1", tagIds: ["2"] },
    { id: "2", authorId: null, tagIds: [] },
    { id: "3", authorId: null, tagIds: [] },
  ],
  tags: [{ id: "1", postIds: [] }, { id: "2", postIds: ["1"] }],
};

/** An id in a request, with its type or without. */
interface Id {
  readonly type: string;
  readonly id: string;
  readonly isGlobal: boolean;
}

type Literal = Id | readonly Literal[] | { readonly [name: string]: Literal };

interface Step {
  readonly field: string;
  readonly args: { readonly [name: string]: Literal };
}

const idOf = (type: string): fc.Arbitrary<Id> =>
  fc.record({
    type: fc.constant(type),
    id: fc.integer({ min: 1, max: 5 }).map(String),
    isGlobal: fc.boolean(),
  });
const [person, post, tag] = ["Person", "Post", "Tag"].map(idOf) as [
  fc.Arbitrary<Id>,
  fc.Arbitrary<Id>,
  fc.Arbitrary<Id>,
];
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 3 });
const anyOf = (parts: Record<string, fc.Arbitrary<Literal>>): fc.Arbitrary<Literal> =>
  fc.oneof(
    ...Object.entries(parts).map(([name, part]) => part.map((value) => ({ [name]: value }))),
  );
const exp = (id: fc.Arbitrary<Id>) =>
  anyOf({ eq: id, ne: id, in: some(id), notIn: some(id), lt: id });
const postWhere: fc.Arbitrary<Literal> = fc.oneof(
  anyOf({ id: exp(post), authorId: exp(person), author: anyOf({ id: exp(person) }) }),
  anyOf({ tags: anyOf({ id: exp(tag) }), not: anyOf({ id: exp(post) }) }),
);
const tagKey = tag.map((id) => ({ id }));
const postInput = anyOf({
  authorId: person,
  tagIds: some(tag),
  tags: anyOf({ connect: some(tagKey), disconnect: some(tagKey), set: some(tagKey) }),
});
// polymorphic: plain ids would be those of several types
const node = fc.oneof(person, post, tag).map((id) => ({ ...id, isGlobal: true }));

const step = (field: string, args: Record<string, fc.Arbitrary<Literal>>): fc.Arbitrary<Step> =>
  fc.record(args).map((drawn) => ({ field, args: drawn }));

const steps = fc.array(
  fc.oneof(
    step("people", { where: anyOf({ id: exp(person), posts: postWhere }) }),
    step("posts", { where: postWhere }),
    step("posts", { authorId: person, ids: some(post) }),
    step("person", { id: person }),
    step("post", { id: post }),
    step("createPost", { input: postInput }),
    step("updatePost", { id: post, input: postInput }),
    step("deletePost", { id: post }),
    step("deletePosts", { ids: some(post) }),
    step("updatePerson", { id: person, input: anyOf({ postIds: some(post) }) }),
  ),
  { minLength: 4, maxLength: 12 },
);

const POST = "{ id authorId tagIds author { id } tags { id } }";
const PERSON = "{ id posts { id } }";

/** A step as a request; ids of the local mock are plain. */
function toRequest({ field, args }: Step, isGlobal: boolean): string {
  const texts = Object.entries(args).map(([name, value]) => `${name}: ${write(value)}`);
  const kind = /^(create|update|delete)/.test(field) ? "mutation" : "query";
  const fields = /person|people/i.test(field) ? PERSON : POST;
  return `${kind} { ${field}(${texts.join(", ")}) ${fields} }`;

  function write(value: Literal): string {
    if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
    if (isId(value)) {
      const id = isGlobal && value.isGlobal ? toGlobalId("global", value.type, value.id) : value.id;
      return JSON.stringify(id);
    }
    const entries = Object.entries(value as Record<string, Literal>);
    return `{ ${entries.map(([name, one]) => `${name}: ${write(one)}`).join(", ")} }`;
  }
}

function isId(value: Literal): value is Id {
  return "isGlobal" in value && typeof value.isGlobal === "boolean";
}

const toLocal = (text: string) => parseGlobalId("global", text)?.id ?? text;

Deno.test("random reads and writes with global ids have the same results as with local ones", async () => {
  const count = { answered: 0, refused: 0 };
  const check = async (drawn: readonly Step[]) => {
    const options = { data: DATA, conventions: "common" } as const;
    const local = createMockServer(SCHEMA, options);
    const global = createMockServer(SCHEMA, { ...options, ids: "global" });
    for (const one of drawn) {
      const request = toRequest(one, true);
      const expected = await local.answer(toRequest(one, false));
      const { data, errors } = await global.answer(request);
      deepStrictEqual(withLocalIds(data, toLocal), expected.data ?? null, request);
      deepStrictEqual(errors.length, expected.errors.length, request);
      deepStrictEqual(global.dump(), local.dump(), request);
      if (errors.length === 0) count.answered++;
      else count.refused++;
    }
  };
  for (const drawn of fc.sample(steps, COUNTED)) await check(drawn);
  ok(count.answered > count.refused, JSON.stringify(count));
  await fc.assert(fc.asyncProperty(steps, check), { numRuns: RUNS * 2 });
});

Deno.test("a polymorphic relation accepts and returns the global ids of several types", async () => {
  await fc.assert(
    fc.asyncProperty(node, async ({ type, id }) => {
      const { answer, dump } = createMockServer(SCHEMA, {
        data: DATA,
        conventions: "common",
        ids: "global",
      });
      const global = toGlobalId("global", type, id);
      const isThere = Number(id) <= (type === "Tag" ? 2 : 3);
      const { data, errors } = await answer(
        `mutation { updatePerson(id: 1, input: { favoriteId: "${global}" }) { favorite { id __typename } } }`,
      );
      if (isThere) {
        deepStrictEqual(data.updatePerson, { favorite: { id: global, __typename: type } });
        deepStrictEqual(dump().people?.[0]?.favoriteId, { type: type.toLowerCase(), id });
      } else deepStrictEqual(errors.length, 1);
    }),
    { numRuns: RUNS },
  );
});

import { deepStrictEqual, match } from "node:assert/strict";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { createMockServer, type MockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Query { people: [Person!]! likes: [Like!]! }
  type Person { id: ID! name: String friends: [Person!] }
  type Post { id: ID! title: String author: Person likes: [Like!]! }
  type Like { id: ID! post: Post people: [Person!]! }
  input PostId { clientMutationId: String postId: ID! }
  input LikeId { likeId: ID! }
  input PeopleIds { personIds: [ID!]! }
  input AuthorId { authorId: ID! }
  input Rename { id: ID! name: String }
  input Nested { id: ID! person: Name }
  input Save { id: ID name: String }
  input Label { id: ID! label: String }
  input Name { name: String }
  type PersonPayload { success: Boolean person: Person }
  type LikePayload { clientMutationId: String like: Like }
  type Mutation {
    createLike(input: PostId!): Like
    addLike(input: PostId!): LikePayload
    newLike(input: PeopleIds!): Like
    insert_likes_one(input: PostId!): Like
    likeCreate(input: PostId!): Like
    addPost(input: AuthorId!): Post
    pinPost(input: PostId!): Post
    createPost(input: PostId!): Post
    favoriteLike(input: PostId!): Like
    addLikes(input: LikeId!): Like
    renamePerson(input: Rename!): PersonPayload
    relabelPerson(input: Label!): Person
    renameNested(input: Nested!): Person
    submitPerson(input: Save!): Person
    createPerson(input: Save!): Person
  }
`;

const DATA = {
  people: [{ id: "1", name: "Ada" }, { id: "2", name: "Bob" }],
  posts: [{ id: "1", title: "One" }],
};

const CONVENTIONS = [undefined, "common"] as const;

const CREATED: readonly (readonly [call: string, answer: unknown])[] = [
  ["createLike(input: { postId: 1 }) { id post { title } }", { id: "1", post: { title: "One" } }],
  [
    'addLike(input: { clientMutationId: "c", postId: 1 }) { clientMutationId like { post { id } } }',
    { clientMutationId: "c", like: { post: { id: "1" } } },
  ],
  ["newLike(input: { personIds: [1, 2] }) { people { id } }", {
    people: [{ id: "1" }, { id: "2" }],
  }],
  ["insert_likes_one(input: { postId: 1 }) { post { id } }", { post: { id: "1" } }],
  ["likeCreate(input: { postId: 1 }) { post { id } }", { post: { id: "1" } }],
  ["addPost(input: { authorId: 2 }) { id author { name } }", { id: "2", author: { name: "Bob" } }],
];

const REFUSED: readonly (readonly [call: string, reason: RegExp])[] = [
  [
    "pinPost(input: { postId: 1 }) { id }",
    /It takes only an id, "postId", which creates nothing\./,
  ],
  ["createPost(input: { postId: 1 }) { id }", /It takes only an id, "postId", which creates/],
  ["favoriteLike(input: { postId: 1 }) { id }", /It takes only an id, "postId", which creates/],
  ["addLikes(input: { likeId: 1 }) { id }", /It takes only an id, "likeId", which creates/],
];

for (const conventions of CONVENTIONS) {
  for (const [call, answer] of CREATED) {
    const [name] = call.split("(");
    Deno.test(`${name} with only a relation's id creates, with ${conventions} conventions`, async () => {
      const { data } = createMockServer(SCHEMA, { data: DATA, conventions });
      deepStrictEqual(await data(`mutation { at: ${call} }`), { at: answer });
    });
  }

  for (const [call, reason] of REFUSED) {
    const [name] = call.split("(");
    Deno.test(`${name} with only an id is rejected, with ${conventions} conventions`, async () => {
      const mock = createMockServer(SCHEMA, { data: DATA, conventions });
      await rejects(mock, call, reason);
    });
  }
}

const WRITTEN: readonly (readonly [call: string, answer: unknown, people: readonly string[]])[] = [
  [
    'renamePerson(input: { id: "2", name: "Rob" }) { success person { id name } }',
    { success: true, person: { id: "2", name: "Rob" } },
    ["Ada", "Rob"],
  ],
  [
    'renameNested(input: { id: 2, person: { name: "Rob" } }) { id name }',
    { id: "2", name: "Rob" },
    ["Ada", "Rob"],
  ],
  [
    'submitPerson(input: { id: 2, name: "Rob" }) { id name }',
    { id: "2", name: "Rob" },
    ["Ada", "Rob"],
  ],
  [
    'submitPerson(input: { id: null, name: "Cy" }) { id name }',
    { id: "3", name: "Cy" },
    ["Ada", "Bob", "Cy"],
  ],
  ['submitPerson(input: { name: "Cy" }) { id name }', { id: "3", name: "Cy" }, [
    "Ada",
    "Bob",
    "Cy",
  ]],
  [
    'createPerson(input: { id: 7, name: "Cy" }) { id name }',
    { id: "7", name: "Cy" },
    ["Ada", "Bob", "Cy"],
  ],
];

for (const [call, answer, people] of WRITTEN) {
  Deno.test(`conventions: an id in the input decides what ${call} does`, async () => {
    const options = { data: DATA, conventions: "common" } as const;
    const plain = createMockServer(SCHEMA, options);
    const [name = ""] = call.split("(");
    const delegating = createMockServer(SCHEMA, {
      ...options,
      resolvers: {
        Mutation: {
          [name]: (...params: Parameters<typeof mockGraphQLFieldResolver>) =>
            mockGraphQLFieldResolver(...params),
        },
      },
    });
    for (const { data } of [plain, delegating]) {
      deepStrictEqual(await data(`mutation { at: ${call} }`), { at: answer });
      deepStrictEqual(await data("{ people { name } }"), {
        people: people.map((name) => ({ name })),
      });
    }
  });
}

const NOT_WRITTEN: readonly (readonly [call: string, message: RegExp])[] = [
  [
    'renamePerson(input: { id: 9, name: "Rob" }) { person { id } }',
    /^Cannot update Person "9": there is no record with this id$/,
  ],
  [
    'relabelPerson(input: { id: 2, label: "x" }) { id }',
    /It changes a part of the Person, which has no "label"/,
  ],
  [
    'createPerson(input: { id: 2, name: "Rob" }) { id }',
    /^Cannot create Person "2": a record with this id exists$/,
  ],
];

for (const [call, message] of NOT_WRITTEN) {
  Deno.test(`conventions: ${call} is rejected, and changes nothing`, async () => {
    await rejects(createMockServer(SCHEMA, { data: DATA, conventions: "common" }), call, message);
  });
}

async function rejects({ errors, dump }: MockServer, call: string, message: RegExp): Promise<void> {
  const before = dump();
  const [first = "", ...others] = await errors(`mutation { at: ${call} }`);
  match(first, message);
  deepStrictEqual([others, dump()], [[], before]);
}

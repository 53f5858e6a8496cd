import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Query { posts: [Post!]! users: [User!]! }
  type User { id: ID! name: String email: String posts: [Post!]! }
  type Post { id: ID! title: String tags: [String!] author: User }
  input UserWhere { id: ID email: String }
  input PostWhere { id: ID title: String }
  input NewUser { name: String email: String posts: PostsInput pet: PostWhere }
  input NewPost { title: String author: AuthorInput }
  input UserOrNew { where: UserWhere! create: NewUser! }
  input AuthorInput {
    connect: UserWhere create: NewUser data: NewUser disconnect: Boolean connectOrCreate: UserOrNew
  }
  input PostsInput {
    connect: [PostWhere!] create: [NewPost!] set: [PostWhere!] disconnect: [PostWhere!]
  }
  input SetTags { set: [String!] }
  input PostInput { title: String author: AuthorInput tags: SetTags }
  type Mutation {
    createPost(data: PostInput!): Post!
    updatePost(where: PostWhere!, data: PostInput!): Post
    createUser(data: NewUser!): User!
    updateUser(where: UserWhere!, data: NewUser!): User
  }
`;

const DATA = {
  users: [
    { id: "1", name: "Ada", email: "a@x", postIds: ["1", "2"] },
    { id: "2", name: "Bea", email: "b@x", postIds: [] },
  ],
  posts: [
    { id: "1", title: "One", authorId: "1" },
    { id: "2", title: "Two", authorId: "1" },
    { id: "3", title: "Three" },
  ],
};

/**
 * A call, then the authors of all posts and the posts of all users, which have to be consistent.
 */
const ROWS:
  readonly (readonly [call: string, authors: readonly unknown[], posts: readonly unknown[]])[] = [
    [
      'createPost(data: { title: "New", author: { connect: { id: 2 } } })',
      ["1", "1", null, "2"],
      [["1", "2"], ["4"]],
    ],
    [
      'createPost(data: { author: { connect: { email: "b@x" } } })',
      ["1", "1", null, "2"],
      [["1", "2"], ["4"]],
    ],
    [
      'createPost(data: { author: { create: { name: "Cy" } } })',
      ["1", "1", null, "3"],
      [["1", "2"], [], ["4"]],
    ],
    [
      'createPost(data: { author: { data: { name: "Cy" } } })',
      ["1", "1", null, "3"],
      [["1", "2"], [], ["4"]],
    ],
    [
      'createPost(data: { author: { connectOrCreate: { where: { email: "a@x" }, create: { name: "x" } } } })',
      ["1", "1", null, "1"],
      [["1", "2", "4"], []],
    ],
    [
      'createPost(data: { author: { connectOrCreate: { where: { id: 9 }, create: { name: "x" } } } })',
      ["1", "1", null, "3"],
      [["1", "2"], [], ["4"]],
    ],
    [
      "updatePost(where: { id: 1 }, data: { author: { connect: { id: 2 } } })",
      ["2", "1", null],
      [["2"], ["1"]],
    ],
    [
      "updatePost(where: { id: 1 }, data: { author: { disconnect: true } })",
      [null, "1", null],
      [["2"], []],
    ],
    [
      "updatePost(where: { id: 1 }, data: { author: { disconnect: false } })",
      ["1", "1", null],
      [["1", "2"], []],
    ],
    [
      "updateUser(where: { id: 1 }, data: { posts: { connect: [{ id: 3 }] } })",
      ["1", "1", "1"],
      [["1", "2", "3"], []],
    ],
    [
      'updateUser(where: { id: 2 }, data: { posts: { connect: [{ id: 1 }, { title: "Three" }] } })',
      ["2", "1", "2"],
      [["2"], ["1", "3"]],
    ],
    [
      "updateUser(where: { id: 1 }, data: { posts: { disconnect: [{ id: 2 }] } })",
      ["1", null, null],
      [["1"], []],
    ],
    [
      "updateUser(where: { id: 1 }, data: { posts: { set: [{ id: 3 }] } })",
      [null, null, "1"],
      [["3"], []],
    ],
    ["updateUser(where: { id: 1 }, data: { posts: { set: [] } })", [null, null, null], [[], []]],
    [
      'updateUser(where: { id: 1 }, data: { posts: { disconnect: [{ id: 1 }], create: [{ title: "New" }] } })',
      [null, "1", null, "1"],
      [["2", "4"], []],
    ],
    [
      'createUser(data: { name: "Cy", posts: { connect: [{ id: 1 }], create: [{ title: "New" }] } })',
      ["3", "1", null, "3"],
      [["2"], [], ["1", "4"]],
    ],
  ];

for (const [call, authors, posts] of ROWS) {
  Deno.test(`nested writes: ${call}`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
    await data(`mutation { ${call} { id } }`);
    const read = await data("{ posts { author { id } } users { posts { id } } }");
    type Ided = { id: string };
    const ids = (list: readonly Ided[]) => list.map(({ id }) => id);
    deepStrictEqual(
      [
        read.posts.map(({ author }: { author: Ided | null }) => author?.id ?? null),
        read.users.map(({ posts }: { posts: readonly Ided[] }) => ids(posts)),
      ],
      [authors, posts],
    );
  });
}

Deno.test("nested writes: a list of plain values is set", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  deepStrictEqual(
    await data('mutation { createPost(data: { tags: { set: ["a", "b"] } }) { tags } }'),
    {
      createPost: { tags: ["a", "b"] },
    },
  );
});

const REFUSED: readonly (readonly [call: string, message: RegExp])[] = [
  ["createPost(data: { author: { connect: { id: 9 } } })", /there is no User "9"$/],
  [
    'createPost(data: { author: { connect: { email: "?" } } })',
    /there is no User with {"email":"\?"}$/,
  ],
  ["createPost(data: { author: { create: { pet: { id: 1 } } } })", /can't write "author.pet"/],
  [
    "createPost(data: { author: { connect: { id: 1 }, create: {} } })",
    /it takes one record, and the input has several$/,
  ],
];

for (const [call, message] of REFUSED) {
  Deno.test(`nested writes: ${call} is rejected, and changes nothing`, async () => {
    const { errors, dump } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
    const before = dump();
    const [first = ""] = await errors(`mutation { ${call} { id } }`);
    match(first, message);
    deepStrictEqual(dump(), before);
  });
}

import { testWriteDialect } from "../testing/write_dialect.ts";

const SCHEMA = `
  type Query { posts: [Post!]! users: [User!]! }
  type User { id: ID! name: String email: String profile: Profile posts: [Post!]! }
  type Profile { id: ID! bio: String user: User }
  type Post { id: ID! title: String views: Int tags: [String!] slug: String author: User }
  input UserUnique { id: ID email: String }
  input PostUnique { id: ID slug: String author_slug: AuthorSlug }
  input AuthorSlug { authorId: ID slug: String }
  input StringFilter { equals: String contains: String in: [String!] not: StringFilter }
  input IntFilter { gt: Int lt: Int equals: Int }
  input UserFilter { name: StringFilter posts: PostList }
  input PostList { some: PostFilter every: PostFilter none: PostFilter }
  input PostFilter {
    AND: [PostFilter!] OR: [PostFilter!] NOT: [PostFilter!]
    id: ID title: StringFilter views: IntFilter author: UserFilter authorId: ID
  }
  input SetString { set: String }
  input ChangeInt { set: Int increment: Int decrement: Int multiply: Int divide: Int }
  input Tags { set: [String!] push: [String!] }
  input PostCreate { title: String views: Int slug: String tags: Tags author: AuthorWrites }
  input PostUpdate { title: SetString views: ChangeInt tags: Tags author: AuthorWrites }
  input UserCreate { name: String email: String posts: PostWrites profile: ProfileWrites }
  input ProfileCreate { bio: String }
  input ProfileWrites {
    create: ProfileCreate update: ProfileCreate delete: Boolean disconnect: Boolean
    upsert: ProfileUpsert
  }
  input ProfileUpsert { create: ProfileCreate! update: ProfileCreate! }
  input AuthorWrites {
    create: UserCreate connect: UserUnique connectOrCreate: UserOrNew disconnect: Boolean
    delete: Boolean update: UserCreate upsert: UserUpsert
  }
  input UserOrNew { where: UserUnique! create: UserCreate! }
  input UserUpsert { create: UserCreate! update: UserCreate! }
  input PostWrites {
    create: [PostCreate!] createMany: ManyPosts connect: [PostUnique!] set: [PostUnique!]
    disconnect: [PostUnique!] delete: [PostUnique!] deleteMany: [PostFilter!]
    update: [PostUpdateOne!] updateMany: [PostUpdateMany!] upsert: [PostUpsert!]
    archive: [PostUnique!]
  }
  input ManyPosts { data: [PostRow!]! skipDuplicates: Boolean }
  input PostRow { id: ID title: String }
  input PostUpdateOne { where: PostUnique! data: PostUpdate! }
  input PostUpdateMany { where: PostFilter! data: PostUpdate! }
  input PostUpsert { where: PostUnique! create: PostCreate! update: PostUpdate! }
  type Batch { count: Int! }
  type Mutation {
    createManyPost(data: [PostRow!]!, skipDuplicates: Boolean): Batch!
    updateOnePost(where: PostUnique!, data: PostUpdate!): Post
    updateManyPost(where: PostFilter, data: PostUpdate!): Batch!
    upsertOnePost(where: PostUnique!, create: PostCreate!, update: PostUpdate!): Post!
    deleteOnePost(where: PostUnique!): Post
    deleteManyPost(where: PostFilter): Batch!
    deleteAllPosts(where: PostFilter! = {}): Batch!
    updateOneUser(where: UserUnique!, data: UserCreate!): User
    createOneUser(data: UserCreate!): User!
  }
`;

/** Post: id, title, views, author; user: id, name, posts, profile. */
testWriteDialect({
  name: "Prisma",
  schema: SCHEMA,
  state:
    "{ posts { id title views author { id } } users { id name posts { id } profile { bio } } }",
  data: {
    users: [
      { id: "1", name: "Ada", email: "a@x", postIds: ["1", "2"], profileId: "1" },
      { id: "2", name: "Bea", email: "b@x", postIds: ["3"] },
    ],
    profiles: [{ id: "1", bio: "old", userId: "1" }],
    posts: [
      { id: "1", title: "One", views: 1, authorId: "1", slug: "one", tags: ["a"] },
      { id: "2", title: "Two", views: 2, authorId: "1", slug: "two" },
      { id: "3", title: "Three", views: null, authorId: "2", slug: "one" },
    ],
  },
  rows: [
    [
      'createManyPost(data: [{ id: 1, title: "x" }, { id: 7, title: "New" }], skipDuplicates: true) { count }',
      { count: 1 },
      ["1 One 1 1", "2 Two 2 1", "3 Three - 2", "7 New - -", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      "updateOnePost(where: { id: 2 }, data: { views: { increment: 3 }, title: { set: null } }) { views }",
      { views: 5 },
      ["1 One 1 1", "2 - 5 1", "3 Three - 2", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      'updateOnePost(where: { author_slug: { authorId: 2, slug: "one" } }, data: { views: { set: 9 } }) { id }',
      { id: "3" },
      ["1 One 1 1", "2 Two 2 1", "3 Three 9 2", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      'updateOnePost(where: { id: 1 }, data: { tags: { push: ["b"] }, views: { multiply: 8 } }) { tags views }',
      { tags: ["a", "b"], views: 8 },
      ["1 One 8 1", "2 Two 2 1", "3 Three - 2", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      'updateManyPost(where: { OR: [{ views: { gt: 1 } }, { author: { name: { contains: "Be" } } }] }, data: { title: { set: "X" } }) { count }',
      { count: 2 },
      ["1 One 1 1", "2 X 2 1", "3 X - 2", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      'updateManyPost(where: { author: { posts: { some: { title: { equals: "Two" } } } } }, data: { views: { set: 0 } }) { count }',
      { count: 2 },
      ["1 One 0 1", "2 Two 0 1", "3 Three - 2", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      "updateManyPost(where: {}, data: { views: { set: 0 } }) { count }",
      { count: 3 },
      ["1 One 0 1", "2 Two 0 1", "3 Three 0 2", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      'upsertOnePost(where: { id: 9 }, create: { title: "New", author: { connect: { id: 2 } } }, update: { title: { set: "Old" } }) { id title }',
      { id: "4", title: "New" },
      ["1 One 1 1", "2 Two 2 1", "3 Three - 2", "4 New - 2", "1 Ada [1 2] old", "2 Bea [3 4] -"],
    ],
    [
      'upsertOnePost(where: { slug: "two" }, create: { title: "New" }, update: { title: { set: "Old" } }) { id title }',
      { id: "2", title: "Old" },
      ["1 One 1 1", "2 Old 2 1", "3 Three - 2", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      'deleteOnePost(where: { slug: "two" }) { id author { name } }',
      { id: "2", author: { name: "Ada" } },
      ["1 One 1 1", "3 Three - 2", "1 Ada [1] old", "2 Bea [3] -"],
    ],
    [
      'deleteManyPost(where: { NOT: [{ title: { contains: "o" } }] }) { count }',
      { count: 2 },
      ["2 Two 2 1", "1 Ada [2] old", "2 Bea [] -"],
    ],
    ["deleteManyPost(where: { title: { in: [] } }) { count }", { count: 0 }, [
      "1 One 1 1",
      "2 Two 2 1",
      "3 Three - 2",
      "1 Ada [1 2] old",
      "2 Bea [3] -",
    ]],
    ["deleteManyPost(where: {}) { count }", { count: 3 }, ["1 Ada [] old", "2 Bea [] -"]],
    ["deleteManyPost(where: { authorId: 2 }) { count }", { count: 1 }, [
      "1 One 1 1",
      "2 Two 2 1",
      "1 Ada [1 2] old",
      "2 Bea [] -",
    ]],
    [
      'createOneUser(data: { name: "Cy", profile: { create: { bio: "new" } }, posts: { createMany: { data: [{ title: "A" }, { title: "B" }] }, connect: [{ id: 3 }] } }) { id }',
      { id: "3" },
      [
        "1 One 1 1",
        "2 Two 2 1",
        "3 Three - 3",
        "4 A - 3",
        "5 B - 3",
        "1 Ada [1 2] old",
        "2 Bea [] -",
        "3 Cy [3 4 5] new",
      ],
    ],
    [
      'updateOneUser(where: { id: 1 }, data: { posts: { update: [{ where: { id: 1 }, data: { title: { set: "X" } } }], delete: [{ id: 2 }], create: [{ title: "New" }] } }) { id }',
      { id: "1" },
      ["1 X 1 1", "3 Three - 2", "4 New - 1", "1 Ada [1 4] old", "2 Bea [3] -"],
    ],
    [
      'updateOneUser(where: { id: 1 }, data: { posts: { updateMany: [{ where: { views: { gt: 1 } }, data: { title: { set: "X" } } }] } }) { id }',
      { id: "1" },
      ["1 One 1 1", "2 X 2 1", "3 Three - 2", "1 Ada [1 2] old", "2 Bea [3] -"],
    ],
    [
      "updateOneUser(where: { id: 1 }, data: { posts: { deleteMany: [{}] } }) { posts { id } }",
      { posts: [] },
      ["3 Three - 2", "1 Ada [] old", "2 Bea [3] -"],
    ],
    [
      'updateOneUser(where: { id: 1 }, data: { posts: { deleteMany: [{ title: { equals: "One" } }, { title: { equals: "Three" } }] } }) { id }',
      { id: "1" },
      ["2 Two 2 1", "3 Three - 2", "1 Ada [2] old", "2 Bea [3] -"],
    ],
    [
      'updateOneUser(where: { id: 2 }, data: { posts: { upsert: [{ where: { id: 3 }, create: {}, update: { title: { set: "X" } } }, { where: { id: 1 }, create: { title: "New" }, update: {} }] } }) { id }',
      { id: "2" },
      ["1 One 1 1", "2 Two 2 1", "3 X - 2", "4 New - 2", "1 Ada [1 2] old", "2 Bea [3 4] -"],
    ],
    [
      'updateOneUser(where: { id: 1 }, data: { profile: { update: { bio: "new" } } }) { profile { bio user { id } } }',
      { profile: { bio: "new", user: { id: "1" } } },
      ["1 One 1 1", "2 Two 2 1", "3 Three - 2", "1 Ada [1 2] new", "2 Bea [3] -"],
    ],
    ["updateOneUser(where: { id: 1 }, data: { profile: { delete: true } }) { id }", { id: "1" }, [
      "1 One 1 1",
      "2 Two 2 1",
      "3 Three - 2",
      "1 Ada [1 2] -",
      "2 Bea [3] -",
    ]],
    [
      'updateOneUser(where: { id: 2 }, data: { profile: { upsert: { create: { bio: "new" }, update: { bio: "x" } } } }) { id }',
      { id: "2" },
      ["1 One 1 1", "2 Two 2 1", "3 Three - 2", "1 Ada [1 2] old", "2 Bea [3] new"],
    ],
    [
      'updateOnePost(where: { id: 3 }, data: { author: { upsert: { create: {}, update: { name: "B" } } } }) { author { name } }',
      { author: { name: "B" } },
      ["1 One 1 1", "2 Two 2 1", "3 Three - 2", "1 Ada [1 2] old", "2 B [3] -"],
    ],
    ["updateOnePost(where: { id: 3 }, data: { author: { delete: true } }) { author { name } }", {
      author: null,
    }, ["1 One 1 1", "2 Two 2 1", "3 Three - -", "1 Ada [1 2] old"]],
  ],
  refused: [
    [
      "updateManyPost(data: {}) { count }",
      /needs the id of the Post to update, .* an empty object finds all/,
    ],
    [
      "deleteManyPost { count }",
      /needs the id of the Post to delete, .* an empty object finds all/,
    ],
    ["deleteAllPosts { count }", /needs the id of the Post to delete/],
    [
      "deleteOnePost(where: {}) { id }",
      /needs the id of the Post to delete, and the call has none/,
    ],
    ['deleteOnePost(where: { slug: "one" }) { id }', /writes one Post, and the call finds 2/],
    [
      'deleteOnePost(where: { slug: "?" }) { id }',
      /^Cannot delete Post {"slug":"\?"}: there is no/,
    ],
    [
      "updateOneUser(where: { id: 2 }, data: { posts: { delete: [{ id: 1 }] } }) { id }",
      /^Cannot write "posts" of User: none of its records is a Post with {"id":"1"}$/,
    ],
    [
      'updateOneUser(where: { id: 2 }, data: { posts: { update: [{ where: { id: 3 }, data: { title: { set: "X" } } }, { where: { id: 1 }, data: {} }] } }) { id }',
      /^Cannot write "posts" of User: none of its records is a Post with {"id":"1"}$/,
    ],
    [
      "updateOneUser(where: { id: 2 }, data: { profile: { delete: true } }) { id }",
      /^Cannot write "profile" of User: there is no Profile to delete$/,
    ],
    [
      "updateOneUser(where: { id: 1 }, data: { posts: { connect: [{ id: 3 }], archive: [{ id: 1 }] } }) { id }",
      /^Cannot write Post: "archive" is not an operation, unlike "connect"$/,
    ],
    [
      'upsertOnePost(where: { slug: "one" }, create: {}, update: {}) { id }',
      /writes one Post, and the call finds 2/,
    ],
  ],
});

import { deepStrictEqual, throws } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import type { MirageSchema } from "../orm/mirage/mirage_schema.ts";
import { startMirage } from "../testing/model_server.ts";

/** The inverse of each relation in Mirage; polymorphic ones have none. */
function inversesOf(mockSchema: MirageSchema, ...modelNames: string[]): Record<string, unknown> {
  return Object.fromEntries(
    modelNames.flatMap((modelName) =>
      Object.values(mockSchema.associationsFor(modelName)).map(({ name, opts }) => [
        `${modelName}.${name}`,
        opts.inverse,
      ])
    ),
  );
}

const PAIRS: { what: string; post: string; user: string; expected: Record<string, unknown> }[] = [
  {
    what: "one relation in each direction",
    post: "author: User",
    user: "posts: [Post]",
    expected: { "post.author": "posts", "user.posts": "author" },
  },
  {
    what: "one relation in each direction, both to many",
    post: "readers: [User]",
    user: "library: [Post]",
    expected: { "post.readers": "library", "user.library": "readers" },
  },
  {
    what: "one relation in each direction, both to one",
    post: "author: User",
    user: "latest: Post",
    expected: { "post.author": "latest", "user.latest": "author" },
  },
  {
    what: "no relation back",
    post: "author: User editor: User",
    user: "",
    expected: { "post.author": null, "post.editor": null },
  },
  {
    what: "names with the same stem",
    post: "editor: User author: User",
    user: "authoredPosts: [Post] editedPosts: [Post]",
    expected: {
      "post.author": "authoredPosts",
      "post.editor": "editedPosts",
      "user.authoredPosts": "author",
      "user.editedPosts": "editor",
    },
  },
  {
    what: "a name with the same stem, next to a relation without an inverse",
    post: "author: User editor: User",
    user: "authoredPosts: [Post]",
    expected: {
      "post.author": "authoredPosts",
      "post.editor": null,
      "user.authoredPosts": "author",
    },
  },
  {
    what: "names with all stems in common before names that share one",
    post: "author: User coAuthor: User",
    user: "coAuthoredPosts: [Post] authoredPosts: [Post]",
    expected: {
      "post.author": "authoredPosts",
      "post.coAuthor": "coAuthoredPosts",
      "user.authoredPosts": "author",
      "user.coAuthoredPosts": "coAuthor",
    },
  },
  {
    what: "names that share a stem",
    post: "leadEditor: User reader: User",
    user: "editedPosts: [Post] savedPosts: [Post]",
    expected: {
      "post.leadEditor": "editedPosts",
      "post.reader": "savedPosts",
      "user.editedPosts": "leadEditor",
      "user.savedPosts": "reader",
    },
  },
  {
    what: "names of the types themselves",
    post: "editor: User user: User",
    user: "posts: [Post]",
    expected: { "post.editor": null, "post.user": "posts", "user.posts": "user" },
  },
  {
    what: "the last on each side, after names have paired the others",
    post: "author: User editor: User",
    user: "editedPosts: [Post] posts: [Post]",
    expected: {
      "post.author": "posts",
      "post.editor": "editedPosts",
      "user.editedPosts": "editor",
      "user.posts": "author",
    },
  },
];

for (const { what, post, user, expected } of PAIRS) {
  Deno.test(`ensureModels() derives inverses from ${what}`, () => {
    using mirage = startMirage();
    mirage.ensure(`type Query { n: Int }
      type Post { id: ID! ${post} } type User { id: ID! ${user} }`);
    deepStrictEqual(inversesOf(mirage.mockSchema, "post", "user"), expected);
  });
}

const SELF: { what: string; fields: string; expected: Record<string, unknown> }[] = [
  { what: "alone", fields: "friends: [Person]", expected: { friends: null } },
  {
    what: "one to one and one to many",
    fields: "manager: Person reports: [Person]",
    expected: { manager: "reports", reports: "manager" },
  },
  {
    what: "names with the same stem, next to others",
    fields: "manager: Person reports: [Person] mentor: Person mentees: [Person]",
    expected: { manager: "reports", reports: "manager", mentor: "mentees", mentees: "mentor" },
  },
  {
    what: "names with the same stem, both to many",
    fields: "followers: [Person] following: [Person]",
    expected: { followers: "following", following: "followers" },
  },
  {
    what: "names that are opposites",
    fields: "parent: Person children: [Person] related: [Person] next: Person previous: Person",
    expected: {
      parent: "children",
      children: "parent",
      related: null,
      next: "previous",
      previous: "next",
    },
  },
  {
    what: "several to one",
    fields: "mother: Person father: Person",
    expected: { mother: null, father: null },
  },
  {
    what: "several to many",
    fields: "friends: [Person] siblings: [Person]",
    expected: { friends: null, siblings: null },
  },
];

for (const { what, fields, expected } of SELF) {
  Deno.test(`ensureModels() derives inverses of a type's relations with itself: ${what}`, () => {
    using mirage = startMirage();
    mirage.ensure(`type Query { n: Int } type Person { id: ID! ${fields} }`);
    const inverses = inversesOf(mirage.mockSchema, "person");
    deepStrictEqual(
      inverses,
      Object.fromEntries(Object.entries(expected).map(([name, one]) => [`person.${name}`, one])),
    );
  });
}

const TWO_EDITORS = `type Query { n: Int }
  type Post { id: ID! author: User editor: User } type User { id: ID! posts: [Post] }`;

Deno.test("ensureModels() uses the inverse that a user-defined model names", () => {
  using mirage = startMirage({ user: Model.extend({ posts: hasMany({ inverse: "editor" }) }) });
  mirage.ensure(TWO_EDITORS);
  deepStrictEqual(inversesOf(mirage.mockSchema, "post"), {
    "post.author": null,
    "post.editor": "posts",
  });
});

Deno.test("ensureModels() accepts that a user-defined relation has no inverse", () => {
  using mirage = startMirage({ user: Model.extend({ posts: hasMany({ inverse: null }) }) });
  mirage.ensure(TWO_EDITORS);
  deepStrictEqual(inversesOf(mirage.mockSchema, "post"), {
    "post.author": null,
    "post.editor": null,
  });
});

Deno.test("ensureModels() rejects what a user-defined model leaves ambiguous if it is strict", () => {
  using mirage = startMirage({ user: Model.extend({ posts: hasMany() }) });
  throws(
    () => mirage.ensure(TWO_EDITORS, { strict: true }),
    /^RangeError: Cannot derive the inverse of "User.posts"/,
  );
});

Deno.test("ensureModels() pairs with a user-defined relation that the schema doesn't name", () => {
  using mirage = startMirage({ user: Model.extend({ writings: hasMany("post") }) });
  mirage.ensure("type Query { n: Int } type Post { id: ID! author: User } type User { id: ID! }");
  const post = mirage.mockSchema.create("post");
  const user = mirage.mockSchema.create("user", { writings: [post] });
  deepStrictEqual(post.reload().authorId, user.id);
});

Deno.test("ensureModels() leaves relations between user-defined models alone", () => {
  using mirage = startMirage({
    user: Model.extend({ posts: hasMany() }),
    post: Model.extend({ author: belongsTo("user"), editor: belongsTo("user") }),
  });
  mirage.ensure(`${TWO_EDITORS} type Tag { id: ID! posts: [Post] }`);
  deepStrictEqual(inversesOf(mirage.mockSchema, "user", "post", "tag"), {
    "user.posts": undefined,
    "post.author": undefined,
    "post.editor": undefined,
    "tag.posts": null,
  });
});

Deno.test("ensureModels() derives no inverse of a field of type Node, which can lead to any type", () => {
  using mirage = startMirage();
  mirage.ensure(`type Query { n: Int } interface Node { id: ID! }
    type User implements Node { id: ID! favorites: [Node] seen: NodeConnection }
    type NodeConnection { nodes: [Node] }
    type Post implements Node { id: ID! author: User }`);
  deepStrictEqual(inversesOf(mirage.mockSchema, "user", "post"), {
    "user.favorites": null,
    "user.seen": null,
    "post.author": null,
  });
});

Deno.test("ensureModels() derives inverses of an object type that is named Node", () => {
  using mirage = startMirage();
  mirage.ensure("type Query { n: Int } type Node { id: ID! parent: Node nodes: [Node] }");
  deepStrictEqual(inversesOf(mirage.mockSchema, "node"), {
    "node.parent": "nodes",
    "node.nodes": "parent",
  });
});

const LIKES = `
  type Query { n: Int }
  union Item = Post | Photo
  type User { id: ID! authoredPosts: [Post] liked: [Item] }
  type Photo { id: ID! }
`;

Deno.test("ensureModels() pairs no remaining relation with a polymorphic one next to a direct one", () => {
  using mirage = startMirage();
  mirage.ensure(`${LIKES} type Post { id: ID! author: User reviewer: User }`);
  deepStrictEqual(inversesOf(mirage.mockSchema, "user", "post"), {
    "user.authoredPosts": "author",
    "user.liked": null,
    "post.author": "authoredPosts",
    "post.reviewer": null,
  });
});

Deno.test("ensureModels() pairs a polymorphic relation next to a direct one by its name", () => {
  using mirage = startMirage();
  mirage.ensure(`${LIKES} type Post { id: ID! author: User reviewer: User likedBy: [User] }`);
  deepStrictEqual(inversesOf(mirage.mockSchema, "post"), {
    "post.author": "authoredPosts",
    "post.reviewer": null,
    "post.likedBy": "liked",
  });
});

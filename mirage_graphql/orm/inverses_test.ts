import { deepStrictEqual, throws } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import type { MirageSchema } from "./mock_schema.ts";
import { startMirage } from "./testing/mock_server.ts";

/** The inverse of each relation, as Mirage has it; polymorphic ones have none of their own. */
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
    what: "one relation each way",
    post: "author: User",
    user: "posts: [Post]",
    expected: { "post.author": "posts", "user.posts": "author" },
  },
  {
    what: "one relation each way, both to many",
    post: "readers: [User]",
    user: "library: [Post]",
    expected: { "post.readers": "library", "user.library": "readers" },
  },
  {
    what: "one relation each way, both to one",
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
    what: "names of one stem",
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
    what: "a name of one stem beside one without a way back",
    post: "author: User editor: User",
    user: "authoredPosts: [Post]",
    expected: {
      "post.author": "authoredPosts",
      "post.editor": null,
      "user.authoredPosts": "author",
    },
  },
  {
    what: "names of all the same stems before names that share one",
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
    what: "the last on each side, when names have paired the others",
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
    what: "names of one stem beside others",
    fields: "manager: Person reports: [Person] mentor: Person mentees: [Person]",
    expected: { manager: "reports", reports: "manager", mentor: "mentees", mentees: "mentor" },
  },
  {
    what: "names of one stem, both to many",
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

const AMBIGUOUS: { what: string; types: string; message: string }[] = [
  {
    what: "two ways there and one back",
    types: `
      type Post { id: ID! author: User editor: User }
      type User { id: ID! posts: [Post] comments: [Comment] blogs: [Blog] }
      type Comment { id: ID! by: User } type Blog { id: ID! }
    `,
    message:
      'Cannot derive the inverse of "User.posts": "Post.author" and "Post.editor" may each ' +
      "lead back. Give createServer() the inverses that you mean, `inverse: null` for none, such " +
      'as `models: { user: Model.extend({ posts: hasMany("post", { inverse: "author" }), ' +
      'comments: hasMany("comment", { inverse: "by" }), ' +
      'blogs: hasMany("blog", { inverse: null }) }) }`',
  },
  {
    what: "two ways there and two back",
    types: `
      type BlogPost { id: ID! author: User editor: User }
      type User { id: ID! blogPosts: [BlogPost] drafts: [BlogPost] }
    `,
    message: 'Cannot derive the inverse of "BlogPost.author" and "BlogPost.editor": ' +
      '"User.blogPosts" and "User.drafts" may each lead back. Give createServer() the inverses ' +
      "that you mean, `inverse: null` for none, such as `models: { blogPost: Model.extend({ " +
      'author: belongsTo("user", { inverse: "blogPosts" }), ' +
      'editor: belongsTo("user", { inverse: "drafts" }) }) }`',
  },
  {
    what: "three relations with itself",
    types: "type Person { id: ID! boss: Person helper: Person staff: [Person] }",
    message: 'Cannot derive the inverse of "Person.boss", "Person.helper" and "Person.staff": ' +
      "several of them may belong together. Give createServer() the inverses that you mean, " +
      "`inverse: null` for none, such as `models: { person: Model.extend({ " +
      'boss: belongsTo("person", { inverse: "staff" }), ' +
      'helper: belongsTo("person", { inverse: null }), ' +
      'staff: hasMany("person", { inverse: "boss" }) }) }`',
  },
  {
    what: "two ways back from a member of a union",
    types: `
      union Subject = Post | Photo
      type Comment { id: ID! subject: Subject }
      type Post { id: ID! comments: [Comment] pinned: [Comment] related: Subject }
      type Photo { id: ID! }
    `,
    message: 'Cannot derive the inverse of "Post.comments" and "Post.pinned": "Comment.subject" ' +
      "may lead back. Give createServer() the inverses that you mean, `inverse: null` for none, " +
      'such as `models: { post: Model.extend({ comments: hasMany("comment", { inverse: ' +
      '"subject" }), pinned: hasMany("comment", { inverse: null }), related: belongsTo({ ' +
      "polymorphic: true, inverse: null }) }) }`",
  },
  {
    what: "several at once",
    types: `
      type Post { id: ID! author: User editor: User blog: Blog next: Post }
      type User { id: ID! posts: [Post] team: Team }
      type Blog { id: ID! entries: [Post] drafts: [Post] }
      type Team { id: ID! members: [User] }
    `,
    message:
      'Cannot derive the inverse of "User.posts": "Post.author" and "Post.editor" may each ' +
      'lead back; of "Post.blog": "Blog.entries" and "Blog.drafts" may each lead back. Give ' +
      "createServer() the inverses that you mean, `inverse: null` for none, such as `models: { " +
      'user: Model.extend({ posts: hasMany("post", { inverse: "author" }), ' +
      'team: belongsTo("team", { inverse: "members" }) }), ' +
      'post: Model.extend({ author: belongsTo("user", { inverse: "posts" }), ' +
      'editor: belongsTo("user", { inverse: null }), ' +
      'blog: belongsTo("blog", { inverse: "entries" }), ' +
      'next: belongsTo("post", { inverse: null }) }) }`',
  },
];

for (const { what, types, message } of AMBIGUOUS) {
  const typeDefs = `type Query { n: Int } ${types}`;

  Deno.test(`ensureModels() refuses ${what}, and registers nothing`, () => {
    using mirage = startMirage();
    throws(() => mirage.ensure(typeDefs), { name: "RangeError", message });
    deepStrictEqual(mirage.mockSchema.db._collections, []);
  });

  Deno.test(`ensureModels() takes the line that it shows for ${what}`, () => {
    using mirage = startMirage(readModels(message));
    mirage.ensure(typeDefs);
  });
}

/** Evaluates the line of an error's message, as a host who pastes it does. */
function readModels(message: string) {
  const [, line] = message.match(/such as `models: (.*)`$/) ?? [];
  const create = new Function("Model", "hasMany", "belongsTo", `return ${line};`);
  return create(Model, hasMany, belongsTo);
}

const TWO_EDITORS = `type Query { n: Int }
  type Post { id: ID! author: User editor: User } type User { id: ID! posts: [Post] }`;

Deno.test("ensureModels() takes the inverse that the host's model names", () => {
  using mirage = startMirage({ user: Model.extend({ posts: hasMany({ inverse: "editor" }) }) });
  mirage.ensure(TWO_EDITORS);
  deepStrictEqual(inversesOf(mirage.mockSchema, "post"), {
    "post.author": null,
    "post.editor": "posts",
  });
});

Deno.test("ensureModels() takes it that the host's relation has no inverse", () => {
  using mirage = startMirage({ user: Model.extend({ posts: hasMany({ inverse: null }) }) });
  mirage.ensure(TWO_EDITORS);
  deepStrictEqual(inversesOf(mirage.mockSchema, "post"), {
    "post.author": null,
    "post.editor": null,
  });
});

Deno.test("ensureModels() refuses what the host's model leaves ambiguous", () => {
  using mirage = startMirage({ user: Model.extend({ posts: hasMany() }) });
  throws(
    () => mirage.ensure(TWO_EDITORS),
    /^RangeError: Cannot derive the inverse of "User.posts"/,
  );
});

Deno.test("ensureModels() pairs with a host's relation that the schema doesn't name", () => {
  using mirage = startMirage({ user: Model.extend({ writings: hasMany("post") }) });
  mirage.ensure("type Query { n: Int } type Post { id: ID! author: User } type User { id: ID! }");
  const post = mirage.mockSchema.create("post");
  const user = mirage.mockSchema.create("user", { writings: [post] });
  deepStrictEqual(post.reload().authorId, user.id);
});

Deno.test("ensureModels() leaves relations alone that are between the host's models", () => {
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

for (const field of ["[Node]", "NodeConnection"]) {
  Deno.test(`ensureModels() derives no inverse of a field of type ${field}, which leads anywhere`, () => {
    using mirage = startMirage();
    mirage.ensure(`type Query { n: Int } interface Node { id: ID! }
      type NodeConnection { nodes: [Node] }
      type User implements Node { id: ID! favorites: ${field} }
      type Post implements Node { id: ID! author: User }`);
    deepStrictEqual(inversesOf(mirage.mockSchema, "user", "post"), {
      "user.favorites": null,
      "post.author": null,
    });
  });
}

const LIKES = `
  type Query { n: Int }
  union Item = Post | Photo
  type User { id: ID! authoredPosts: [Post] liked: [Item] }
  type Photo { id: ID! }
`;

Deno.test("ensureModels() pairs no leftover with a polymorphic relation beside a direct one", () => {
  using mirage = startMirage();
  mirage.ensure(`${LIKES} type Post { id: ID! author: User reviewer: User }`);
  deepStrictEqual(inversesOf(mirage.mockSchema, "user", "post"), {
    "user.authoredPosts": "author",
    "user.liked": null,
    "post.author": "authoredPosts",
    "post.reviewer": null,
  });
});

Deno.test("ensureModels() pairs a polymorphic relation beside a direct one by its name", () => {
  using mirage = startMirage();
  mirage.ensure(`${LIKES} type Post { id: ID! author: User reviewer: User likedBy: [User] }`);
  deepStrictEqual(inversesOf(mirage.mockSchema, "post"), {
    "post.author": "authoredPosts",
    "post.reviewer": null,
    "post.likedBy": "liked",
  });
});

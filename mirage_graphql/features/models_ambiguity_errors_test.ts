import { deepStrictEqual, throws } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { startMirage } from "../testing/model_server.ts";

const AMBIGUOUS: { what: string; types: string; message: string }[] = [
  {
    what: "two relations and one back",
    types: `
      type Post { id: ID! author: User editor: User }
      type User { id: ID! posts: [Post] comments: [Comment] blogs: [Blog] }
      type Comment { id: ID! by: User } type Blog { id: ID! }
    `,
    message:
      'Cannot derive the inverse of "User.posts": "Post.author" and "Post.editor" may each ' +
      "lead back. Give the option `models` the inverses that you mean, `inverse: null` for none, such " +
      'as `models: { user: Model.extend({ posts: hasMany("post", { inverse: "author" }), ' +
      'comments: hasMany("comment", { inverse: "by" }), ' +
      'blogs: hasMany("blog", { inverse: null }) }) }`',
  },
  {
    what: "two relations, one of them named with a stop word, and one back",
    types: `
      type Message { id: ID! from: User to: User }
      type User { id: ID! messages: [Message] }
    `,
    message: 'Cannot derive the inverse of "User.messages": "Message.from" and "Message.to" may ' +
      "each lead back. Give the option `models` the inverses that you mean, `inverse: null` for none, " +
      'such as `models: { user: Model.extend({ messages: hasMany("message", { inverse: "from" }) ' +
      "}) }`",
  },
  {
    what: "two relations and two back",
    types: `
      type BlogPost { id: ID! author: User editor: User }
      type User { id: ID! blogPosts: [BlogPost] drafts: [BlogPost] }
    `,
    message: 'Cannot derive the inverse of "BlogPost.author" and "BlogPost.editor": ' +
      '"User.blogPosts" and "User.drafts" may each lead back. Give the option `models` the inverses ' +
      "that you mean, `inverse: null` for none, such as `models: { blogPost: Model.extend({ " +
      'author: belongsTo("user", { inverse: "blogPosts" }), ' +
      'editor: belongsTo("user", { inverse: "drafts" }) }) }`',
  },
  {
    what: "three relations of a type with itself",
    types: "type Person { id: ID! boss: Person helper: Person staff: [Person] }",
    message: 'Cannot derive the inverse of "Person.boss", "Person.helper" and "Person.staff": ' +
      "several of them may belong together. Give the option `models` the inverses that you mean, " +
      "`inverse: null` for none, such as `models: { person: Model.extend({ " +
      'boss: belongsTo("person", { inverse: "staff" }), ' +
      'helper: belongsTo("person", { inverse: null }), ' +
      'staff: hasMany("person", { inverse: "boss" }) }) }`',
  },
  {
    what: "two relations back from a member of a union",
    types: `
      union Subject = Post | Photo
      type Comment { id: ID! subject: Subject }
      type Post { id: ID! comments: [Comment] pinned: [Comment] related: Subject }
      type Photo { id: ID! }
    `,
    message: 'Cannot derive the inverse of "Post.comments" and "Post.pinned": "Comment.subject" ' +
      "may lead back. Give the option `models` the inverses that you mean, `inverse: null` for none, " +
      'such as `models: { post: Model.extend({ comments: hasMany("comment", { inverse: ' +
      '"subject" }), pinned: hasMany("comment", { inverse: null }), related: belongsTo({ ' +
      "polymorphic: true, inverse: null }) }) }`",
  },
  {
    what: "several ambiguities at once",
    types: `
      type Post { id: ID! author: User editor: User blog: Blog next: Post }
      type User { id: ID! posts: [Post] team: Team }
      type Blog { id: ID! entries: [Post] drafts: [Post] }
      type Team { id: ID! members: [User] }
    `,
    message:
      'Cannot derive the inverse of "User.posts": "Post.author" and "Post.editor" may each ' +
      'lead back; of "Post.blog": "Blog.entries" and "Blog.drafts" may each lead back. Give ' +
      "the option `models` the inverses that you mean, `inverse: null` for none, such as `models: { " +
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

  Deno.test(`ensureModels() rejects ${what} if it is strict, and registers nothing`, () => {
    using mirage = startMirage();
    throws(() => mirage.ensure(typeDefs, { strict: true }), { name: "RangeError", message });
    deepStrictEqual(mirage.mockSchema.db._collections, []);
  });

  Deno.test(`ensureModels() accepts the line that it suggests for ${what}`, () => {
    using mirage = startMirage(readModels(message));
    deepStrictEqual(mirage.ensure(typeDefs, { strict: true }).ambiguous, []);
  });
}

/** Evaluates the line of an error's message, like a user who pastes it. */
function readModels(message: string) {
  const [, line] = message.match(/such as `models: (.*)`$/) ?? [];
  const create = new Function("Model", "hasMany", "belongsTo", `return ${line};`);
  return create(Model, hasMany, belongsTo);
}

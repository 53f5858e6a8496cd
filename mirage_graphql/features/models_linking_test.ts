import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { startMirage } from "../testing/model_server.ts";

const BLOG = `
  type Query { n: Int }
  type Post { id: ID! author: User editor: User tags: [Tag] }
  type User { id: ID! authoredPosts: [Post] editedPosts: [Post] }
  type Tag { id: ID! posts: [Post] }
`;

function startBlog() {
  const mirage = startMirage();
  mirage.ensure(BLOG);
  return mirage;
}

Deno.test("ensureModels() links the list when a record is created with its parent", () => {
  using mirage = startBlog();
  const author = mirage.mockSchema.create("user");
  const post = mirage.mockSchema.create("post", { author });
  deepStrictEqual(author.reload().authoredPostIds, [post.id]);
  deepStrictEqual(author.editedPostIds, []);
});

Deno.test("ensureModels() links the list when a record is created with its parent's id", () => {
  using mirage = startBlog();
  const editor = mirage.mockSchema.create("user");
  const post = mirage.mockSchema.create("post", { editorId: editor.id });
  deepStrictEqual(editor.reload().editedPostIds, [post.id]);
  deepStrictEqual(editor.authoredPostIds, []);
});

Deno.test("ensureModels() links the parent when it is created with its list", () => {
  using mirage = startBlog();
  const posts = [mirage.mockSchema.create("post"), mirage.mockSchema.create("post")];
  const user = mirage.mockSchema.create("user", { editedPostIds: ["1", "2"] });
  deepStrictEqual(posts.map((post) => post.reload().editorId), [user.id, user.id]);
  deepStrictEqual(posts.map((post) => post.authorId), [null, null]);
});

Deno.test("ensureModels() removes a record that changes its parent from the old parent's list", () => {
  using mirage = startBlog();
  const [first, second] = [mirage.mockSchema.create("user"), mirage.mockSchema.create("user")];
  const post = mirage.mockSchema.create("post", { author: first, editor: first });

  post.update({ authorId: second.id });

  deepStrictEqual([first.reload().authoredPostIds, second.reload().authoredPostIds], [[], ["1"]]);
  deepStrictEqual([first.editedPostIds, second.editedPostIds], [["1"], []]);
});

Deno.test("ensureModels() unlinks a record that is destroyed", () => {
  using mirage = startBlog();
  const author = mirage.mockSchema.create("user");
  const tag = mirage.mockSchema.create("tag");
  const post = mirage.mockSchema.create("post", { author, editor: author, tags: [tag] });

  author.destroy();
  deepStrictEqual([post.reload().authorId, post.editorId], [null, null]);

  post.destroy();
  deepStrictEqual(tag.reload().postIds, []);
});

Deno.test("ensureModels() links lists on both sides", () => {
  using mirage = startBlog();
  const tags = [mirage.mockSchema.create("tag"), mirage.mockSchema.create("tag")];
  const post = mirage.mockSchema.create("post", { tags });
  deepStrictEqual(tags.map((tag) => tag.reload().postIds), [["1"], ["1"]]);

  mirage.mockSchema.create("post", { tagIds: ["2"] });
  deepStrictEqual(tags.map((tag) => tag.reload().postIds), [["1"], ["1", "2"]]);
  deepStrictEqual(post.reload().tagIds, ["1", "2"]);
});

const STAFF = `
  type Query { n: Int }
  type Person {
    id: ID! manager: Person reports: [Person] mentor: Person mentees: [Person] friends: [Person]
  }
`;

Deno.test("ensureModels() links a type's relations with itself, each with its own inverse", () => {
  using mirage = startMirage();
  mirage.ensure(STAFF.replace("friends: [Person]", ""));
  const manager = mirage.mockSchema.create("person");
  const mentor = mirage.mockSchema.create("person");
  const person = mirage.mockSchema.create("person", { manager, mentor });

  deepStrictEqual([manager.reload().reportIds, manager.menteeIds], [[person.id], []]);
  deepStrictEqual([mentor.reload().reportIds, mentor.menteeIds], [[], [person.id]]);

  const lead = mirage.mockSchema.create("person", { reports: [person] });
  strictEqual(person.reload().managerId, lead.id);
  deepStrictEqual([manager.reload().reportIds, manager.managerId], [[], null]);
});

Deno.test("ensureModels() keeps a type's only relation with itself as it was written", () => {
  using mirage = startMirage();
  mirage.ensure("type Query { n: Int } type Person { id: ID! friends: [Person] }");
  const friend = mirage.mockSchema.create("person");
  const person = mirage.mockSchema.create("person", { friends: [friend] });
  deepStrictEqual([person.reload().friendIds, friend.reload().friendIds], [["1"], []]);
});

const SUBJECTS = `
  type Query { n: Int }
  union Subject = Post | Photo
  type Comment { id: ID! subject: Subject }
  type Post { id: ID! comments: [Comment] }
  type Photo { id: ID! comments: [Comment] }
`;

Deno.test("ensureModels() links a polymorphic relation with a list in each model", () => {
  using mirage = startMirage();
  mirage.ensure(SUBJECTS);
  const post = mirage.mockSchema.create("post");
  const comment = mirage.mockSchema.create("comment", { subject: post });
  deepStrictEqual(post.reload().commentIds, [comment.id]);

  const photo = mirage.mockSchema.create("photo", { comments: [comment] });
  deepStrictEqual(comment.reload().subjectId, { type: "photo", id: photo.id });

  photo.destroy();
  strictEqual(comment.reload().subjectId, null);
});

const FILES = `
  type Query { n: Int }
  union Item = Folder | File
  type Folder { id: ID! parent: Folder items: [Item] }
  type File { id: ID! folder: Folder }
`;

Deno.test("ensureModels() links a polymorphic list with a parent in each model", () => {
  using mirage = startMirage();
  mirage.ensure(FILES);
  const root = mirage.mockSchema.create("folder");
  mirage.mockSchema.create("folder", { parent: root });
  mirage.mockSchema.create("file", { folderId: root.id });
  deepStrictEqual(root.reload().itemIds, [{ type: "folder", id: "2" }, { type: "file", id: "1" }]);

  const file = mirage.mockSchema.create("file");
  const folder = mirage.mockSchema.create("folder", { items: [file, root] });
  deepStrictEqual([file.reload().folderId, root.reload().parentId], [folder.id, folder.id]);
});

Deno.test("ensureModels() links with polymorphic lists on the other side", () => {
  using mirage = startMirage();
  mirage.ensure(`type Query { n: Int } union Tagged = Post | Photo
    type Tag { id: ID! tagged: [Tagged] }
    type Post { id: ID! tags: [Tag] } type Photo { id: ID! tags: [Tag] }`);
  const tag = mirage.mockSchema.create("tag");
  const post = mirage.mockSchema.create("post", { tags: [tag] });
  const photo = mirage.mockSchema.create("photo");
  mirage.mockSchema.create("tag", { tagged: [photo, post] });
  deepStrictEqual(tag.reload().taggedIds, [{ type: "post", id: "1" }]);
  deepStrictEqual([post.reload().tagIds, photo.reload().tagIds], [["1", "2"], ["2"]]);
});

import fc from "fast-check";
import { times } from "../../test_support/tier.ts";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createMockServer, type MockServer } from "../testing/mock_server.ts";
import {
  type Id,
  type ListOperations,
  NaiveWorld,
  type Named,
  Refused,
} from "../testing/properties/naive_writes.ts";

const LIST = (name: string) => `
  input ${name}s {
    set: [Id!] disconnect: [Id!] delete: [Id!] connect: [Id!] create: [Named!]
    update: [Update!] updateMany: UpdateMany deleteMany: DeleteMany connectOrCreate: [OrNew!]
  }`;

const SCHEMA = `
  type Query { users: [User!]! posts: [Post!]! tags: [Tag!]! }
  type User { id: ID! name: String posts: [Post!]! }
  type Post { id: ID! name: String author: User tags: [Tag!]! }
  type Tag { id: ID! name: String posts: [Post!]! }
  input Id { id: ID! }
  input Named { id: ID! name: String! }
  input Text { contains: String _in: [String!] }
  input Like { name: Text! author: Like }
  input Name { name: String }
  input Update { where: Id! data: Name! }
  input UpdateMany { where: Like! data: Name! }
  input DeleteMany { where: Like! }
  input OrNew { where: Id! create: Named! }
  ${LIST("Post")} ${LIST("Tag")}
  input Author { connect: Id create: Named disconnect: Boolean delete: Boolean update: Name }
  input PostData { id: ID name: String author: Author tags: Tags }
  input UserData { id: ID name: String posts: Posts }
  input PostRow { id: ID! name: String! author_id: ID }
  enum PostConstraint { posts_pkey }
  enum PostColumn { name author_id }
  input OnConflict { constraint: PostConstraint! update_columns: [PostColumn!]! }
  type Count { count: Int! }
  type Mutation {
    createPost(data: PostData!): Post
    updatePost(where: Id!, data: PostData!): Post
    createUser(data: UserData!): User
    updateUser(where: Id!, data: UserData!): User
    updateManyPosts(where: Like!, data: Name!): Count
    deleteManyPosts(where: Like!): Count
    deletePost(id: ID!): Boolean
    deleteUser(id: ID!): Boolean
    insert_posts(objects: [PostRow!]!, on_conflict: OnConflict): Count
  }
`;

/** Ids that records are looked up by: most exist at the beginning. */
const ID = fc.record({ id: fc.integer({ min: 1, max: 4 }).map(String) });
const NAME = fc.constantFrom("a", "b", "ab", "c");
const LIKE = fc.record({ name: fc.record({ contains: fc.constantFrom("a", "b", "c") }) });
const NAMED = fc.record({ id: fc.integer({ min: 3, max: 9 }).map(String), name: NAME });
const IDS = fc.uniqueArray(ID, { maxLength: 3, selector: ({ id }) => id });

const ALL_OPERATIONS: fc.Arbitrary<Required<ListOperations>> = fc.record({
  set: IDS,
  disconnect: IDS,
  delete: IDS.map((ids) => ids.slice(0, 1)),
  update: fc.array(fc.record({ where: ID, data: fc.record({ name: NAME }) }), { maxLength: 1 }),
  updateMany: fc.record({ where: LIKE, data: fc.record({ name: NAME }) }),
  deleteMany: fc.record({ where: LIKE }),
  connect: IDS,
  create: fc.array(NAMED, { maxLength: 1 }),
  connectOrCreate: fc.array(NAMED.map((create) => ({ where: { id: create.id }, create })), {
    maxLength: 1,
  }),
});

/** One or two of the operations: among more, nearly always one is rejected. */
const OPERATIONS: fc.Arbitrary<ListOperations> = fc.tuple(
  ALL_OPERATIONS,
  fc.uniqueArray(fc.nat({ max: 8 }), { maxLength: 2 }),
).map(([all, chosen]) =>
  Object.fromEntries(Object.entries(all).filter((_, index) => chosen.includes(index)))
);

interface Author {
  readonly connect?: Id;
  readonly create?: Named;
  readonly update?: { readonly name: string };
  readonly disconnect?: boolean;
  readonly delete?: boolean;
}

const AUTHOR: fc.Arbitrary<Author> = fc.oneof(
  fc.record({ connect: ID }),
  fc.record({ create: NAMED }),
  fc.record({ update: fc.record({ name: NAME }) }),
  fc.constant({ disconnect: true }),
  fc.constant({ delete: true }),
);

const STEP = fc.oneof(
  fc.record({
    kind: fc.constantFrom("createPost" as const, "updatePost" as const),
    own: NAMED,
    at: ID,
    author: fc.option(AUTHOR, { nil: undefined }),
    tags: fc.option(OPERATIONS, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constantFrom("createUser" as const, "updateUser" as const),
    own: NAMED,
    at: ID,
    posts: OPERATIONS,
  }),
  fc.record({
    kind: fc.constant("updateManyPosts" as const),
    where: LIKE,
    author: LIKE,
    name: NAME,
  }),
  fc.record({ kind: fc.constant("deleteManyPosts" as const), where: LIKE, author: LIKE }),
  fc.record({ kind: fc.constantFrom("deletePost" as const, "deleteUser" as const), at: ID }),
  fc.record({
    kind: fc.constant("insert_posts" as const),
    rows: fc.array(fc.tuple(NAMED, fc.option(ID)), { minLength: 1, maxLength: 3 }),
    columns: fc.constantFrom<string[]>(["name"], ["name", "author_id"], []),
  }),
);

type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

const DATA = {
  users: [1, 2, 3].map((id) => ({ id, name: "a", postIds: [id, id + 3] })),
  posts: [1, 2, 3, 4, 5, 6].map((id) => ({
    id,
    name: id % 2 === 0 ? "ab" : "c",
    authorId: (id - 1) % 3 + 1,
    tagIds: id < 4 ? [...new Set([1, id])] : [2],
  })),
  tags: [1, 2, 3].map((id) => ({
    id,
    name: "b",
    postIds: [[1, 2, 3], [2, 4, 5, 6], [3]][id - 1],
  })),
};

/** The same records in the reference. */
function seededWorld(): NaiveWorld {
  const world = new NaiveWorld();
  for (const { id, name } of DATA.users) world.users.set(String(id), name);
  for (const { id, name } of DATA.tags) world.tags.set(String(id), name);
  for (const { id, name, authorId, tagIds } of DATA.posts) {
    world.posts.set(String(id), name);
    world.authors.set(String(id), String(authorId));
    for (const tag of tagIds) world.tagged.add(`${id} ${tag}`);
  }
  return world;
}

Deno.test("after any writes in any style, both sides of all relations are those of a naive reference", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 20 }), async (steps) => {
      const mock = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
      const world = seededWorld();
      deepStrictEqual(await read(mock), world.dump());
      for (const step of steps) {
        const isDone = world.attempt(() => refer(world, step));
        const errors = await perform(mock, step);
        strictEqual(errors.length === 0, isDone, `${JSON.stringify(step)}: ${errors}`);
        deepStrictEqual(await read(mock), world.dump());
      }
      mock.server.shutdown();
    }),
    { numRuns: times(12, 60) },
  );
});

/** Performs a step in the reference. */
function refer(world: NaiveWorld, step: Step): void {
  switch (step.kind) {
    case "createPost":
    case "updatePost": {
      const id = ownId(world.posts, step);
      if (step.kind === "createPost") world.create(world.posts, step.own);
      else world.posts.set(id, step.own.name);
      referAuthor(world, id, step.author ?? {});
      return world.writeTags(id, step.tags ?? {});
    }
    case "createUser":
    case "updateUser": {
      const id = ownId(world.users, step);
      if (step.kind === "createUser") world.create(world.users, step.own);
      else world.users.set(id, step.own.name);
      return world.writePosts(id, step.posts);
    }
    case "updateManyPosts":
      return matching(world, step).forEach((id) => world.posts.set(id, step.name));
    case "deleteManyPosts":
      return matching(world, step).forEach((id) => world.deletePost(id));
    case "deletePost":
      return world.deletePost(step.at.id);
    case "deleteUser":
      return world.deleteUser(step.at.id);
    case "insert_posts":
      return step.rows.forEach(([{ id, name }, author]) => {
        const isNew = !world.posts.has(id);
        if (isNew) world.create(world.posts, { id, name });
        else if (step.columns.includes("name")) world.posts.set(id, name);
        if (isNew || step.columns.includes("author_id")) world.setAuthor(id, author?.id);
      });
  }
}

type Own = Extract<Step, { own: unknown }>;

/** The id of the record to create, or to update. */
function ownId(table: ReadonlyMap<string, string>, { kind, own, at }: Own): string {
  if (kind.startsWith("create")) return own.id;
  if (!table.has(at.id)) throw new Refused(at.id);
  return at.id;
}

function referAuthor(world: NaiveWorld, post: string, author: Author): void {
  const current = world.authors.get(post);
  if (author.connect) world.setAuthor(post, author.connect.id);
  if (author.create) {
    world.create(world.users, author.create);
    world.setAuthor(post, author.create.id);
  }
  if (author.disconnect) world.setAuthor(post, undefined);
  if ((author.update || author.delete) && current === undefined) throw new Refused("no author");
  if (author.update) world.users.set(current!, author.update.name);
  if (author.delete) world.deleteUser(current!);
}

type Many = Extract<Step, { where: unknown }>;

function matching(world: NaiveWorld, { where, author }: Many): string[] {
  return [...world.posts].filter(([id, name]) => {
    const by = world.users.get(world.authors.get(id) ?? "");
    return name.includes(where.name.contains) && by?.includes(author.name.contains);
  }).map(([id]) => id);
}

/** Sends a step as a mutation, and returns the errors. */
async function perform(mock: MockServer, step: Step): Promise<readonly string[]> {
  switch (step.kind) {
    case "createPost":
    case "createUser": {
      const { kind, own, at: _, ...nested } = step;
      return await send(mock, kind, {
        data: [kind === "createPost" ? "PostData" : "UserData", {
          ...own,
          ...nested,
        }],
      });
    }
    case "updatePost":
    case "updateUser": {
      const { kind, own: { name }, at, ...nested } = step;
      const type = kind === "updatePost" ? "PostData" : "UserData";
      return await send(mock, kind, { where: ["Id", at], data: [type, { name, ...nested }] });
    }
    case "updateManyPosts": {
      const { kind, where, author, name } = step;
      return await send(mock, kind, {
        where: ["Like", { ...where, author }],
        data: ["Name", { name }],
      });
    }
    case "deleteManyPosts":
      return await send(mock, step.kind, {
        where: ["Like", { ...step.where, author: step.author }],
      });
    case "deletePost":
    case "deleteUser":
      return await send(mock, step.kind, { id: ["ID", step.at.id] });
    case "insert_posts": {
      const rows = step.rows.map(([own, author]) => ({ ...own, author_id: author?.id ?? null }));
      return await send(mock, step.kind, {
        objects: ["[PostRow!]", rows],
        on_conflict: ["OnConflict", { constraint: "posts_pkey", update_columns: step.columns }],
      });
    }
  }
}

/** Sends a mutation whose arguments are variables of the given types. */
async function send(
  mock: MockServer,
  name: string,
  args: Readonly<Record<string, readonly [type: string, value: unknown]>>,
): Promise<readonly string[]> {
  const entries = Object.entries(args);
  const types = entries.map(([key, [type]]) => `$${key}: ${type}!`).join(" ");
  const given = entries.map(([key]) => `${key}: $${key}`).join(" ");
  const selection = /^delete(Post|User)$/.test(name)
    ? ""
    : /Many|insert/.test(name)
    ? "{ count }"
    : "{ id }";
  const variables = Object.fromEntries(entries.map(([key, [, value]]) => [key, value]));
  return await mock.errors(`mutation(${types}) { ${name}(${given}) ${selection} }`, variables);
}

interface Read {
  readonly id: string;
  readonly name: string;
  readonly author?: Read | null;
  readonly posts: readonly Read[];
  readonly tags: readonly Read[];
}

/** What the server has, after a check that both sides of each relation say the same. */
async function read(mock: MockServer): Promise<string> {
  const data: Readonly<Record<"users" | "posts" | "tags", readonly Read[]>> = await mock.data(`{
    users { id name posts { id } } posts { id name author { id } tags { id } }
    tags { id name posts { id } }
  }`);
  const world = new NaiveWorld();
  const other = new NaiveWorld();
  for (const one of [world, other]) {
    for (const { id, name } of data.users) one.users.set(id, name);
    for (const { id, name } of data.posts) one.posts.set(id, name);
    for (const { id, name } of data.tags) one.tags.set(id, name);
  }
  for (const { id, author, tags } of data.posts) {
    if (author) world.authors.set(id, author.id);
    for (const tag of tags) world.tagged.add(`${id} ${tag.id}`);
  }
  for (const { id, posts } of data.users) for (const post of posts) other.authors.set(post.id, id);
  for (const { id, posts } of data.tags) {
    for (const post of posts) other.tagged.add(`${post.id} ${id}`);
  }
  strictEqual(world.dump(), other.dump(), "both sides of relations differ");
  return world.dump();
}

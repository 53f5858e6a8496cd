import { deepStrictEqual, match, notDeepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createServer } from "miragejs";
import { createGraphQLHandler } from "../mod.ts";
import { createFactories, createSeeds } from "../seeds.ts";
import { createMockServer } from "../testing/mock_server.ts";

const SDL = `
  type Person { id: ID! name: String! email: String! posts: [Post!]! profile: Profile! }
  type Profile { id: ID! bio: String! person: Person! person_id: ID! }
  type Post { id: ID! title: String! author: Person! author_id: ID! tags: [Tag!]! about: Topic }
  type Tag { id: ID! name: String! posts: [Post!]! }
  type Visit { id: ID! postId: ID! }
  type Collection { id: ID! name: String! next: Collection previous: Collection }
  union Topic = Person | Tag
  type Query {
    people: [Person!]! posts: [Post!]! tags: [Tag!]! profiles: [Profile!]! visits: [Visit!]!
    collections: [Collection!]!
  }
`;

Deno.test("createSeeds() generates tables for loadData() whose relations agree", async () => {
  const data = createSeeds(SDL);
  deepStrictEqual(Object.keys(data), [
    "people",
    "profiles",
    "posts",
    "tags",
    "visits",
    "collectionRecords",
  ]);
  const { data: query } = createMockServer(SDL, { data });
  const { people, posts, tags, profiles, collections, visits } = await query(`{
    people { id posts { id author { id } } profile { person { id } } }
    posts { id author { id posts { id } } author_id tags { id posts { id } } about { __typename } }
    tags { id posts { id tags { id } } }
    profiles { id person { id } person_id }
    visits { postId }
    collections { id next { id previous { id } } previous { next { id } } }
  }`);
  type One = { id: string };
  const has = (list: readonly One[], id: string) => list.some((one) => one.id === id);
  strictEqual(people.length, 5);
  for (const person of people) {
    for (const post of person.posts) strictEqual(post.author.id, person.id);
    strictEqual(person.profile.person.id, person.id);
  }
  for (const post of posts) {
    strictEqual(post.author_id, post.author.id);
    ok(has(post.author.posts, post.id));
    for (const tag of post.tags) ok(has(tag.posts, post.id));
  }
  for (const tag of tags) {
    for (const post of tag.posts) ok(has(post.tags, tag.id));
  }
  for (const profile of profiles) strictEqual(profile.person_id, profile.person.id);
  for (const { id, next, previous } of collections) {
    if (next !== null) strictEqual(next.previous.id, id);
    if (previous !== null) strictEqual(previous.next.id, id);
  }
  ok(collections.some(({ next }: { next: One | null }) => next !== null));
  for (const { postId } of visits) ok(has(posts, postId), postId);
});

Deno.test("createSeeds() generates the same values for the same seed, and others for another", () => {
  deepStrictEqual(createSeeds(SDL, { seed: 7 }), createSeeds(SDL, { seed: 7 }));
  deepStrictEqual(createSeeds(SDL, { seed: 0 }), createSeeds(SDL));
  notDeepStrictEqual(createSeeds(SDL, { seed: 7 }).people, createSeeds(SDL).people);
});

Deno.test("createSeeds() accepts counts for all types, or by type", () => {
  const lengths = (count: number | Record<string, number>) => {
    const { people, posts, tags } = createSeeds(SDL, { count });
    return [people, posts, tags].map((rows) => rows?.length);
  };
  deepStrictEqual(lengths(2), [2, 2, 2]);
  deepStrictEqual(lengths(0), [0, 0, 0]);
  deepStrictEqual(lengths({ Person: 1, Tag: 0 }), [1, 5, 0]);
});

Deno.test("createSeeds() accepts values by type and field, with relations as ids", () => {
  const { people, posts } = createSeeds(SDL, {
    count: 3,
    values: {
      Person: { id: (index: number) => `p${index}`, name: "Ada" },
      Post: { title: (index: number) => `Post ${index}`, author: "p2" },
    },
  });
  deepStrictEqual(people?.map(({ id, name }) => [id, name]), [
    ["p0", "Ada"],
    ["p1", "Ada"],
    ["p2", "Ada"],
  ]);
  deepStrictEqual(posts?.map(({ title, authorId }) => [title, authorId]), [
    ["Post 0", "p2"],
    ["Post 1", "p2"],
    ["Post 2", "p2"],
  ]);
  deepStrictEqual(people?.map(({ postIds }) => postIds), [[], [], ["1", "2", "3"]]);
});

Deno.test("createSeeds() gives each record its own copy of a constant value", () => {
  const labels = ["a"];
  const sdl = "type Post { id: ID! labels: [String!]! } type Query { posts: [Post!]! }";
  const { posts = [] } = createSeeds(sdl, { count: 2, values: { Post: { labels } } });
  const [one, other] = posts.map((post) => post.labels);
  deepStrictEqual([one, other], [labels, labels]);
  ok(one !== other && one !== labels && other !== labels);
});

Deno.test("createFactories() creates factories for createServer(), with the same values for the same seed", async () => {
  const start = (seed: number) => {
    const factories = createFactories(SDL, {
      seed,
      values: { Post: { title: (index: number) => `Post ${index}` } },
    });
    const server = createServer({ environment: "test", factories });
    const { query } = createGraphQLHandler(SDL, server.schema);
    const author = server.create("person");
    server.createList("post", 2, { author } as object);
    return query(`{
      people { name email posts { title } }
      collections { id }
    }`);
  };
  const [first, again, other] = [await start(1), await start(1), await start(2)];
  deepStrictEqual(first, again);
  notDeepStrictEqual(first, other);
  const { people: [person] } = first as {
    people: { name: string; email: string; posts: { title: string }[] }[];
  };
  match(person?.email ?? "", /^[a-z]+\.[a-z]+@example\.com$/);
  deepStrictEqual(person?.posts.map(({ title }) => title), ["Post 0", "Post 1"]);
});

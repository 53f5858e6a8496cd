import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Collection } from "miragejs";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";

const SCHEMA = `
  union Thing = Post | Tag
  type Person { id: ID! name: String posts: [Post!]! things: [Thing!]! best: Thing probe: String }
  type Post { id: ID! title: String author: Person! editor: Editor probe: String }
  type Editor { id: ID! }
  type Tag { id: ID! }
  type Query { people: [Person!]! person(id: ID): Person posts: [Post!]! node: Thing }
`;

const DATA = {
  people: [{
    id: "1",
    name: "Ada",
    postIds: ["1", "2"],
    thingIds: [{ type: "tag", id: "1" }, { type: "post", id: "1" }],
    bestId: { type: "tag", id: "1" },
    hidden: { deep: [1] },
  }],
  posts: [
    { id: "1", title: "One", authorId: "1", editorId: null },
    { id: "2", title: "Two", authorId: "1", editorId: null },
  ],
  tags: [{ id: "1" }],
};

/** Calls a function with a resolver's obj, and returns its result. */
// deno-lint-ignore no-explicit-any
async function look<Seen>(probe: (obj: any, context: any) => Seen): Promise<Seen> {
  let seen: { value: Seen } | undefined;
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Person: { probe: (obj, _args, context) => void (seen = { value: probe(obj, context) }) },
    },
  });
  await data("{ people { probe } }");
  ok(seen, "the resolver is called");
  return seen.value;
}

Deno.test("a resolver's obj has the record's attributes, foreign keys and __typename", async () => {
  deepStrictEqual(
    await look(({ posts: _posts, things: _things, best: _best, ...attributes }) => attributes),
    { ...DATA.people[0], __typename: "Person" },
  );
});

Deno.test("a resolver's obj has its relations as Mirage's collections and models", async () => {
  await look(({ posts, things, best }) => {
    ok(posts instanceof Collection);
    strictEqual(typeof things.mergeCollection, "function");
    strictEqual(typeof best.save, "function");
    deepStrictEqual(posts.models.map(({ title }) => title), ["One", "Two"]);
    deepStrictEqual(things.models.map(({ modelName }: { modelName: string }) => modelName), [
      "tag",
      "post",
    ]);
    strictEqual(best.modelName, "tag");
    strictEqual(posts.models[0].author.name, "Ada");
    strictEqual(posts.filter(({ title }: { title: string }) => title === "One").length, 1);
  });
});

Deno.test("a resolver's obj has all of these as own, enumerable properties", async () => {
  deepStrictEqual(await look((obj) => Object.keys(obj).sort()), [
    "__typename",
    "best",
    "bestId",
    "hidden",
    "id",
    "name",
    "postIds",
    "posts",
    "thingIds",
    "things",
  ]);
  deepStrictEqual(await look((obj) => Object.hasOwn(obj, "posts")), true);
  deepStrictEqual(await look((obj) => "posts" in { ...obj }), true);
});

Deno.test("a resolver's obj is the record in JSON, too", async () => {
  const text = await look((obj) => JSON.stringify({ id: obj.id, name: obj.name, best: obj.best }));
  deepStrictEqual(JSON.parse(text), { id: "1", name: "Ada", best: { id: "1" } });
});

Deno.test("a resolver's obj with an unknown id resolves to null, not an error", async () => {
  let editor: unknown = "not read";
  const { data } = createMockServer(SCHEMA, {
    data: { ...DATA, posts: DATA.posts.map((post) => ({ ...post, editorId: "9" })) },
    resolvers: {
      Post: {
        probe: (obj) => {
          if (obj.id === "2") editor = obj.editor;
          return String(obj.title);
        },
      },
    },
  });
  deepStrictEqual(await data("{ posts { probe } }"), {
    posts: [{ probe: "One" }, { probe: "Two" }],
  });
  strictEqual(editor, null);
});

Deno.test("a resolver's obj has the same collection each time, whose models can be saved", async () => {
  const seen: unknown[] = [];
  const { data, dump } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Person: {
        probe(obj: Library) {
          seen.push(obj.posts === obj.posts, obj.best === obj.best, obj.posts.length);
          obj.posts.models[0]?.update({ title: "Saved" });
          const { author } = obj.posts.models[1] ?? {};
          author?.update({ name: "Eve" });
          return author?.name;
        },
      },
    },
  });
  deepStrictEqual(await data("{ people { probe } }"), { people: [{ probe: "Eve" }] });
  deepStrictEqual(seen, [true, true, 2]);
  deepStrictEqual(dump(), {
    ...dump(),
    people: DATA.people.map((person) => ({ ...person, name: "Eve" })),
    posts: DATA.posts.map((post, index) => index === 0 ? { ...post, title: "Saved" } : post),
    tags: DATA.tags,
  });
});

interface Updatable {
  readonly name?: string;
  readonly author?: Updatable;
  update(attributes: object): void;
}

interface Library {
  readonly posts: { readonly models: readonly Updatable[]; readonly length: number };
  readonly best: unknown;
}

Deno.test("a resolver's obj can be spread even if a foreign key leads to no record", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: { ...DATA, posts: DATA.posts.map((post) => ({ ...post, editorId: "9" })) },
    resolvers: { Person: { probe: (obj) => Object.keys({ ...obj }).length.toString() } },
  });
  deepStrictEqual(await data("{ people { probe posts { title } } }"), {
    people: [{ probe: "10", posts: [{ title: "One" }, { title: "Two" }] }],
  });
});

Deno.test("a resolver's obj may be returned unchanged, spread, or with replaced values", async () => {
  const cases: readonly [returned: (obj: object) => object, expected: unknown][] = [
    [(obj) => obj, { name: "Ada", posts: [{ title: "One" }, { title: "Two" }] }],
    [(obj) => ({ ...obj }), { name: "Ada", posts: [{ title: "One" }, { title: "Two" }] }],
    [(obj) => ({ ...obj, name: "Eve" }), {
      name: "Eve",
      posts: [{ title: "One" }, { title: "Two" }],
    }],
    [(obj) => ({ ...obj, posts: [{ title: "Mine" }] }), {
      name: "Ada",
      posts: [{ title: "Mine" }],
    }],
    [(obj) => Object.assign(obj, { name: "Eve" }), {
      name: "Eve",
      posts: [{ title: "One" }, { title: "Two" }],
    }],
    [(obj) => Object.assign(obj, { posts: [] }), { name: "Ada", posts: [] }],
    [(obj) => Object.assign(obj, { postIds: ["2"] }), { name: "Ada", posts: [{ title: "Two" }] }],
    [(obj) => Object.assign(obj, { posts: undefined }), {
      name: "Ada",
      posts: [{ title: "One" }, { title: "Two" }],
    }],
    [(obj) => ({ ...obj, postIds: ["2"], posts: undefined }), {
      name: "Ada",
      posts: [{ title: "Two" }],
    }],
  ];
  for (const [returned, expected] of cases) {
    const { data, dump } = createMockServer(SCHEMA, {
      data: DATA,
      resolvers: {
        Query: {
          person: (obj, args, context, info) =>
            returned(mockGraphQLFieldResolver<object>(obj, args, context, info)),
        },
      },
    });
    deepStrictEqual((await data("{ person { name posts { title } } }")).person, expected);
    deepStrictEqual(dump().people, DATA.people);
  }
});

Deno.test("changes of a resolver to its obj's attributes are read, at any depth", async () => {
  const { data, dump } = createMockServer(
    `type Address { city: String zip: String } type Person { id: ID! address: Address work: Address }
     type Query { person: Person }`,
    {
      data: {
        people: [{ id: "1", address: { city: "London", zip: "1" }, work: { city: "Bath" } }],
      },
      resolvers: {
        Query: {
          person(obj, args, context, info) {
            const person = mockGraphQLFieldResolver<{ address: { city: string }; work: unknown }>(
              obj,
              args,
              context,
              info,
            );
            person.address.city = "Paris";
            person.work = { city: "Rome" };
            return person;
          },
        },
      },
    },
  );
  deepStrictEqual(await data("{ person { address { city zip } work { city } } }"), {
    person: { address: { city: "Paris", zip: "1" }, work: { city: "Rome" } },
  });
  deepStrictEqual(dump().people, [
    { id: "1", address: { city: "London", zip: "1" }, work: { city: "Bath" } },
  ]);
});

Deno.test("getters of model classes are own properties of a resolver's obj", async () => {
  class Person extends ModelClass {
    get greeting() {
      return `Hi ${this.name}`;
    }
    greet(name: string) {
      return `${this.greeting}, I'm ${name}`;
    }
  }
  const { data } = createMockServer(
    "type Person { id: ID! name: String probe: String spread: String } type Query { people: [Person!]! }",
    {
      models: { person: Person },
      data: { people: [{ id: "1", name: "Ada" }] },
      resolvers: {
        Person: {
          probe: (obj: { greeting: string }) => obj.greeting,
          spread: (obj: { greet(name: string): string }) => ({ ...obj }).greet("Bo"),
        },
      },
    },
  );
  deepStrictEqual(await data("{ people { probe spread } }"), {
    people: [{ probe: "Hi Ada", spread: "Hi Ada, I'm Bo" }],
  });
});

Deno.test("obj at the root is undefined if no root value is given", async () => {
  const seen: unknown[] = [];
  const people = (obj: unknown) => {
    seen.push(obj);
    return [];
  };
  const resolvers = { Query: { people } };
  await createMockServer(SCHEMA, { resolvers }).data("{ people { id } }");
  await createMockServer(SCHEMA, { resolvers, root: { a: 1 } }).data("{ people { id } }");
  deepStrictEqual(seen, [undefined, { a: 1 }]);
});

Deno.test("mockGraphQLFieldResolver returns what resolvers get: lists, objects, null, leaves", async () => {
  const seen: Record<string, unknown> = {};
  const resolve = (obj: unknown, args: object, context: unknown, info: Info) => {
    const result = mockGraphQLFieldResolver(obj, { ...args }, context, info);
    seen[info.fieldName] = result;
    return result;
  };
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: { people: resolve, person: resolve, node: resolve },
      Person: { name: resolve, posts: resolve, best: resolve, things: resolve },
    },
  });
  const answer = await data(`{
    people { name posts { title author { name } } best { __typename } things { __typename } }
    person(id: 9) { name } node { ... on Post { title } } }`);
  deepStrictEqual(answer, {
    people: [{
      name: "Ada",
      posts: [
        { title: "One", author: { name: "Ada" } },
        { title: "Two", author: { name: "Ada" } },
      ],
      best: { __typename: "Tag" },
      things: [{ __typename: "Tag" }, { __typename: "Post" }],
    }],
    person: null,
    node: { title: "One" },
  });
  ok(Array.isArray(seen.people) && Array.isArray(seen.posts) && Array.isArray(seen.things));
  strictEqual(seen.posts[0].author.name, "Ada");
  strictEqual(seen.posts[0].__typename, "Post");
  strictEqual(seen.person, null);
  strictEqual(seen.name, "Ada");
});

type Info = Parameters<typeof mockGraphQLFieldResolver>[3];

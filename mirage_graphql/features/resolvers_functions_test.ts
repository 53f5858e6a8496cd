import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { delegateAll } from "../testing/delegate_all.ts";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";
import { resultsOf, startSubscriptions } from "../testing/subscription_server.ts";

const SCHEMA = `
  type PageInfo { hasNextPage: Boolean! }
  type PostEdge { node: Post! cursor: String! }
  type PostConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
  type Post { id: ID! title: String author: Person }
  type Person {
    id: ID! name: String posts(title: String, limit: Int): [Post!]! post(title: String!): Post
    page(title: String, first: Int): PostConnection! best(title: String): Post
    postsCount(title: String): Int
  }
  type Group { label(loud: Boolean): String people(name: String): [Person!]! person(name: String!): Person }
  input PostInput { title: String }
  type PostMutations { create(input: PostInput!): Post remove(id: ID!): Post }
  type Query {
    people(name: String, limit: Int): [Person!]! person(id: ID): Person posts: [Post!]!
    page(title: String, first: Int): PostConnection! group: Group
  }
  type Mutation {
    createPost(input: PostInput!): Post updatePost(id: ID!, input: PostInput!): Post
    posts: PostMutations!
  }
`;

const DATA = {
  people: [{ id: "1", name: "Ada", postIds: ["1"] }, { id: "2", name: "Eve" }],
  posts: [{ id: "1", title: "One", authorId: "1" }],
};

type Args = Readonly<Record<string, string>>;

/** Functions that use their arguments in a way that no filter does. */
const PERSON = {
  id: "7",
  posts: ({ title }: Args) => [{ id: "8", title: `${title}!` }, { id: "9", title: null }],
  best: ({ title }: Args) => Promise.resolve({ id: "8", title: `${title}!` }),
  page: ({ title }: Args) => [{ id: "8", title: `${title}!` }, { id: "9", title: null }],
  postsCount: ({ title = "" }: Args) => Promise.resolve(title.length),
};

const POSTS = `posts(title: "x", limit: 1) { title } best(title: "x") { title }
  page(title: "x", first: 1) { nodes { title } totalCount pageInfo { hasNextPage } }
  postsCount(title: "four")`;

const ANSWERED = {
  posts: [{ title: "x!" }, { title: null }],
  best: { title: "x!" },
  page: { nodes: [{ title: "x!" }], totalCount: 2, pageInfo: { hasNextPage: true } },
  postsCount: 4,
};

for (const conventions of ["strict", "common"] as const) {
  Deno.test(`functions of a returned object have used their arguments, with ${conventions} conventions`, async () => {
    const { data } = createMockServer(SCHEMA, {
      data: DATA,
      conventions,
      resolvers: { Query: { person: () => PERSON } },
    });
    deepStrictEqual(await data(`{ person { id ${POSTS} } }`), { person: { id: "7", ...ANSWERED } });
  });

  Deno.test(`functions of root have used their arguments, with ${conventions} conventions`, async () => {
    const { data } = createMockServer(SCHEMA, {
      data: DATA,
      conventions,
      root: {
        people: ({ name }: Args) => [{ id: "9", name: `not ${name}` }, { id: "1", name: "Ada" }],
        person: ({ id }: Args) => ({ id: "9", name: `instead of ${id}` }),
        page: PERSON.page,
        group: () => ({
          label: ({ loud }: { loud: boolean }) => loud ? "HI" : "hi",
          people: ({ name }: Args) => [{ id: "3", name: `no ${name}` }],
        }),
      },
    });
    deepStrictEqual(
      await data(`{
        people(name: "Eve", limit: 1) { name } person(id: 2) { name } posts { title }
        page(title: "x", first: 1) { nodes { title } totalCount }
        group { label(loud: true) people(name: "Eve") { name } }
      }`),
      {
        people: [{ name: "not Eve" }, { name: "Ada" }],
        person: { name: "instead of 2" },
        posts: [{ title: "One" }],
        page: { nodes: [{ title: "x!" }], totalCount: 2 },
        group: { label: "HI", people: [{ name: "no Eve" }] },
      },
    );
  });

  Deno.test(`a field finds its record in what the function of its list returns, with ${conventions} conventions`, async () => {
    const people = () => [{ id: "8", name: "Eve" }, { id: "9", name: "Ada" }];
    const { data } = createMockServer(SCHEMA, {
      data: DATA,
      conventions,
      root: { group: { people } },
    });
    deepStrictEqual(await data('{ group { person(name: "Ada") { id } } }'), {
      group: { person: { id: "9" } },
    });
  });

  Deno.test(`root goes before mutations without a resolver, with ${conventions} conventions`, async () => {
    const { data, dump } = createMockServer(SCHEMA, {
      data: DATA,
      conventions,
      root: {
        createPost: ({ input }: { input: { title: string } }) => ({ id: "9", title: input.title }),
        updatePost: { id: "1", title: "fixed" },
        posts: { create: () => null },
      },
    });
    deepStrictEqual(
      await data(`mutation {
        createPost(input: { title: "New" }) { id title }
        updatePost(id: 1, input: { title: "New" }) { title }
        posts { create(input: { title: "New" }) { id } remove(id: 1) { title } }
      }`),
      {
        createPost: { id: "9", title: "New" },
        updatePost: { title: "fixed" },
        posts: { create: null, remove: { title: "One" } },
      },
    );
    deepStrictEqual(dump().posts, []);
  });
}

Deno.test("a function that finds nothing answers null", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, root: { person: () => undefined } });
  deepStrictEqual(await data("{ person(id: 1) { id } }"), { person: null });
});

for (const resolvers of [undefined, delegateAll(buildSchema(SCHEMA))]) {
  const whose = resolvers ? "whose fields only delegate" : "without resolvers";
  Deno.test(`a method of a model's class, ${whose}, has used its arguments`, async () => {
    class Person extends ModelClass {
      best({ title }: Args) {
        return { id: "8", title: `${title} of ${this.name}` };
      }
    }
    const { data } = createMockServer(SCHEMA, {
      data: DATA,
      models: { person: Person },
      resolvers,
    });
    deepStrictEqual(await data('{ people { best(title: "x") { title } } }'), {
      people: [{ best: { title: "x of Ada" } }, { best: { title: "x of Eve" } }],
    });
  });
}

Deno.test("the property of a returned object is read once", async () => {
  let reads = 0;
  const person = {
    id: "7",
    get best() {
      reads++;
      return { id: "8", title: "x" };
    },
  };
  const { data } = createMockServer(SCHEMA, { resolvers: { Query: { person: () => person } } });
  deepStrictEqual(await data('{ person { best(title: "x") { id } } }'), {
    person: { best: { id: "8" } },
  });
  strictEqual(reads, 1);
});

Deno.test("root goes before subscriptions without a resolver", async () => {
  const { server, subscribe } = startSubscriptions({
    root: {
      async *personCreated({ name }: Args) {
        yield await Promise.resolve({ personCreated: { name: `Not ${name}` } });
      },
    },
  });
  const stream = subscribe('{ personCreated(name: "Ada") { name } }');
  server.create("person", { name: "Ada" } as object);
  deepStrictEqual(await resultsOf(stream), [{ personCreated: { name: "Not Ada" } }]);
  const other = subscribe("{ postAdded { title } }");
  server.create("post", { title: "One" } as object);
  deepStrictEqual(await resultsOf(other), [{ postAdded: { title: "One" } }]);
});

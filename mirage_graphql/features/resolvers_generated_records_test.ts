import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { loadMock } from "../serving/load_mock.ts";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  scalar DateTime
  enum State { DRAFT DONE }
  type Person { id: ID! name: String! nick: String age: Int! posts: [Post!]! postsCount: Int! }
  type Post {
    id: ID! title: String! state: State! price: Float! isHidden: Boolean! tags: [String!]!
    createdAt: DateTime! author: Person subtitle: String words: Int!
  }
  type Query { posts(state: State, isHidden: Boolean, price: Float): [Post!]! people: [Person!]! }
  input PostInput { title: String state: State price: Float subtitle: String }
  input PersonInput { name: String posts: [PostInput!] }
  type Mutation {
    createPost(input: PostInput!): Post!
    updatePost(id: ID!, input: PostInput!): Post!
    createPerson(input: PersonInput!): Person!
  }
`;

const FIELDS = "id title state price isHidden tags createdAt subtitle words";

for (const conventions of ["strict", "common"] as const) {
  Deno.test(`defaults: "generate" stores non-null values that a creation lacks, with ${conventions} conventions`, async () => {
    const { data, dump } = createMockServer(SCHEMA, { defaults: "generate", conventions });
    const create = `mutation { createPost(input: { title: "One", price: null }) { ${FIELDS} } }`;
    const { createPost } = await data(create);
    deepStrictEqual(createPost, {
      id: "1",
      title: "One",
      state: "DRAFT",
      price: 0,
      isHidden: false,
      tags: [],
      createdAt: "2026-01-01T00:00:00.000Z",
      subtitle: null,
      words: 0,
    });
    const { posts } = await data(
      `{ posts(state: DRAFT, isHidden: false, price: 0) { ${FIELDS} } }`,
    );
    deepStrictEqual(posts, [createPost]);
    const { author: _, subtitle: __, ...stored } = { author: null, ...createPost };
    deepStrictEqual(dump().posts, [{ ...stored, authorId: null }]);
  });

  Deno.test(`defaults: "generate" stores values of nested records too, with ${conventions} conventions`, async () => {
    const { data, dump } = createMockServer(SCHEMA, { defaults: "generate", conventions });
    const posts = conventions === "strict" ? '[{ title: "One" }]' : "[{ state: DONE }]";
    await data(`mutation { createPerson(input: { name: "Ada", posts: ${posts} }) { id } }`);
    const [post] = dump().posts ?? [];
    strictEqual(post?.state, conventions === "strict" ? "DRAFT" : "DONE");
    strictEqual(post?.title, conventions === "strict" ? "One" : "title");
    strictEqual(post?.authorId, "1");
  });
}

const LINKED = `
  interface Named { id: ID! name: String! }
  type Person implements Named { id: ID! name: String! passport: Passport posts: [Post!]! }
  type Robot implements Named { id: ID! name: String! }
  type Passport { id: ID! owner: Person! }
  type Post { id: ID! title: String! author: Person! subject: Named! previous: Post! }
  type Query { posts: [Post!]! passports: [Passport!]! people: [Person!]! }
  input PostInput { title: String! authorId: ID }
  input PassportInput { note: String }
  type Mutation { createPost(input: PostInput!): Post! createPassport(input: PassportInput!): Passport! }
`;

for (const conventions of ["strict", "common"] as const) {
  Deno.test(`defaults: "generate" links new records to the records that they require, with ${conventions} conventions`, async () => {
    const { data, errors } = createMockServer(LINKED, {
      defaults: "generate",
      conventions,
      data: { people: [{ name: "Ada" }, { name: "Eve" }], posts: [{ title: "Zero" }] },
    });
    const post = (input: string) =>
      `mutation { createPost(input: { ${input} }) {
        author { name posts { title } } subject { name } previous { title }
      } }`;
    deepStrictEqual(await data(post('title: "One"')), {
      createPost: {
        author: { name: "Ada", posts: [{ title: "One" }] },
        subject: { name: "Ada" },
        previous: { title: "Zero" },
      },
    });
    deepStrictEqual((await data(post('title: "Two" authorId: 2'))).createPost.author, {
      name: "Eve",
      posts: [{ title: "Two" }],
    });

    const passport = "mutation { createPassport(input: {}) { owner { name passport { id } } } }";
    for (const [index, name] of ["Ada", "Eve"].entries()) {
      deepStrictEqual((await data(passport)).createPassport.owner, {
        name,
        passport: { id: String(index + 1) },
      });
    }
    match((await errors(passport))[0] ?? "", /^Cannot resolve Passport.owner/);
  });
}

Deno.test("records of a seed file have no other links than those in it", async () => {
  const seeds = {
    people: [{ id: 1, name: "Ada", posts: [1] }, { id: 2, name: "Eve" }],
    posts: [{ id: 2, title: "Two" }, { id: 1, title: "One" }],
  };
  const seedFile = { path: "seed.json", text: JSON.stringify(seeds) };
  const mock = await loadMock([{ path: "posts.graphql", text: LINKED }], { seedFile });
  const query = "{ people { name posts { id author { id } } } }";
  const response = await mock.respond(new Request(`http://localhost/?query=${query}`));
  mock.close();
  deepStrictEqual((await response.json()).data.people, [
    { name: "Ada", posts: [{ id: "1", author: { id: "1" } }] },
    { name: "Eve", posts: [] },
  ]);
});

Deno.test('defaults: "generate" does not store counts, and keeps existing values', async () => {
  const { data, dump } = createMockServer(SCHEMA, { defaults: "generate", conventions: "common" });
  await data('mutation { createPerson(input: { name: "Ada", posts: [{}, {}] }) { id } }');
  deepStrictEqual(await data("{ people { age nick postsCount } }"), {
    people: [{ age: 0, nick: null, postsCount: 2 }],
  });
  strictEqual(Object.hasOwn(dump().people?.[0] ?? {}, "nick"), false);
});

Deno.test('defaults: "generate" does not affect updates, nor fields with resolvers', async () => {
  const { data, dump } = createMockServer(SCHEMA, {
    defaults: "generate",
    data: { posts: [{ id: "1", title: "One" }] },
    resolvers: { Post: { words: ({ title }: { title: string }) => title.length } },
  });
  await data('mutation { updatePost(id: 1, input: { title: "Three" }) { id } }');
  deepStrictEqual(dump().posts?.[0], { id: "1", title: "Three" });
  await data('mutation { createPost(input: { title: "Five" }) { id } }');
  strictEqual(Object.hasOwn(dump().posts?.[1] ?? {}, "words"), false);
  deepStrictEqual(await data("{ posts { words } }"), { posts: [{ words: 5 }, { words: 4 }] });
});

Deno.test("without the option, a creation stores only the given values", async () => {
  const { data, dump, errors } = createMockServer(SCHEMA);
  await data('mutation { createPost(input: { title: "One" }) { id } }');
  deepStrictEqual(dump().posts, [{ id: "1", title: "One", authorId: null }]);
  match((await errors("{ posts { price } }"))[0] ?? "", /price/);
});

Deno.test("loadMock() stores values like those of sample records, the same ones each time, but begins a record now", async () => {
  const create = `mutation { createPost(input: {}) { ${FIELDS} } }`;
  const begun = new Date().toISOString();
  const answers = await Promise.all([1, 2].map(async () => {
    const mock = await loadMock([{ path: "blog.graphql", text: SCHEMA }]);
    const ask = async (query: string) => {
      const response = await mock.respond(
        new Request("http://localhost/", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ query }),
        }),
      );
      return await response.json();
    };
    const { data: { createPost } } = await ask(create);
    const { data: { posts } } = await ask(`{ posts { ${FIELDS} } }`);
    mock.close();
    deepStrictEqual(posts.at(-1), createPost);
    notStrictEqual(createPost.title, posts[0].title);
    return createPost;
  }));
  const [{ createdAt: first, ...one }, { createdAt: second, ...other }] = answers;
  deepStrictEqual(one, other);
  match(one.title, /^[A-Z][a-z]+ [a-z]+$/);
  strictEqual(one.isHidden, false);
  for (const at of [first, second]) ok(at >= begun && at <= new Date().toISOString(), at);
});

Deno.test("loadMock() generates what records of a seed file lack, including embedded objects", async () => {
  const text = `
    enum Empty
    type Address { city: String! street: String! }
    type Person { id: ID! name: String! email: String! address: Address! kind: Empty mood: Empty! }
    type Query { people: [Person!]! }
  `;
  const seeds = { people: [{ name: "Ada" }, { address: { street: "Main" } }] };
  const seedFile = { path: "seed.json", text: JSON.stringify(seeds) };
  const mock = await loadMock([{ path: "people.graphql", text }], { seedFile });
  const query = "{ people { name email address { city street } kind } }";
  const response = await mock.respond(new Request(`http://localhost/?query=${query}`));
  mock.close();
  const { data: { people: [ada, other] } } = await response.json();
  deepStrictEqual([ada.name, other.address.street, ada.kind], ["Ada", "Main", null]);
  match(ada.email, /@example.com$/);
  match(other.name, /^[A-Z][a-z]+ [A-Z][a-z]+$/);
  match(ada.address.city, /^[A-Z]/);
});

Deno.test("loadMock() stores no aggregates with new records, which are counted when they are read", async () => {
  const text = `
    type authors {
      id: Int! name: String! articles: [articles!]! articles_aggregate: articles_aggregate!
      articlesAggregate: ArticlesAggregate!
    }
    type ArticlesAggregate { count: Int! }
    type articles { id: Int! title: String! author: authors! }
    type articles_aggregate { aggregate: articles_aggregate_fields! nodes: [articles!]! }
    type articles_aggregate_fields { count: Int! }
    input authors_insert_input { name: String articles: articles_arr_rel_insert_input }
    input articles_arr_rel_insert_input { data: [articles_insert_input!]! }
    input articles_insert_input { title: String }
    type Query { authors: [authors!]! }
    type Mutation { insert_authors_one(object: authors_insert_input!): authors }
  `;
  const seedFile = { path: "seed.json", text: "{}" };
  const mock = await loadMock([{ path: "authors.graphql", text }], { seedFile });
  const ask = async (query: string) => {
    const body = JSON.stringify({ query });
    const headers = { "Content-Type": "application/json" };
    const request = new Request("http://localhost/", { method: "POST", headers, body });
    return await (await mock.respond(request)).json();
  };
  await ask("mutation { insert_authors_one(object: { articles: { data: [{}, {}] } }) { id } }");
  const { data: { authors: [author] } } = await ask(
    "{ authors { name articles { title } articles_aggregate { aggregate { count } } articlesAggregate { count } } }",
  );
  mock.close();
  deepStrictEqual(author.articles_aggregate, { aggregate: { count: 2 } });
  deepStrictEqual(author.articlesAggregate, { count: 2 });
  match(author.name, /^[A-Z]\S+ [A-Z]/);
  match(author.articles[1].title, /^[A-Z]/);
});

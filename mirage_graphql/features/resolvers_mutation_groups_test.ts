import { deepStrictEqual, match } from "node:assert/strict";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Person { id: ID! name: String! posts: [Post!]! }
  type Post { id: ID! title: String author: Person }
  type GeneMutation { id: ID! base: String }
  input PersonInput { name: String! }
  input PostInput { title: String authorId: ID }
  type PersonPayload { person: Person }
  type Query { posts: [Post!]! }
  type Mutation { posts: PostMutations! admin: AdminMutation latest: GeneMutation logout: LogoutMutation }
  type LogoutMutation { ok: Boolean again: LogoutMutation }
  type PostMutations {
    create(input: PostInput!): Post!
    update(id: ID!, input: PostInput!): Post
    delete(id: ID!): Post
    publish(title: String): Post
  }
  type AdminMutation { people: PeopleMutations }
  type PeopleMutations { create(input: PersonInput!): PersonPayload }
`;

Deno.test("mutations in groups, and in groups of groups, write like those at the root", async () => {
  const { data, dump } = createMockServer(SCHEMA);
  deepStrictEqual(
    await data(`mutation {
      admin { people { create(input: { name: "Ada" }) { person { id name } } } }
      posts {
        create(input: { title: "One", authorId: 1 }) { id author { name posts { title } } }
        update(id: 1, input: { title: "Two" }) { title }
      }
    }`),
    {
      admin: { people: { create: { person: { id: "1", name: "Ada" } } } },
      posts: {
        create: { id: "1", author: { name: "Ada", posts: [{ title: "One" }] } },
        update: { title: "Two" },
      },
    },
  );
  deepStrictEqual(await data("mutation { posts { delete(id: 1) { title author { name } } } }"), {
    posts: { delete: { title: "Two", author: { name: "Ada" } } },
  });
  deepStrictEqual(dump(), {
    people: [{ id: "1", name: "Ada", postIds: [] }],
    posts: [],
    geneMutations: [],
    logoutMutations: [],
  });
});

Deno.test("a mutation in a group that matches no rule is an error that names the group", async () => {
  const { errors } = createMockServer(SCHEMA);
  deepStrictEqual(await errors(`mutation { posts { publish(title: "x") { id } } }`), [
    "Could not find a default resolver for publish. Please supply a resolver for this mutation. " +
    "It takes (title: String), where one input object creates, one ID and one input object " +
    "update, and one ID deletes. " +
    "Write resolvers: { PostMutations: { publish(obj, args, context, info) { ... } } }",
  ]);
});

for (
  const [name, selection, what] of [
    ["latest", "base", "a type with an id"],
    ["logout", "ok", "a type whose fields take no arguments"],
  ]
) {
  Deno.test(`${what} is not a group of mutations, whatever its name`, async () => {
    const { errors } = createMockServer(SCHEMA);
    const [message = ""] = await errors(`mutation { ${name} { ${selection} } }`);
    deepStrictEqual(message.split(". ")[0], `Could not find a default resolver for ${name}`);
  });
}

Deno.test("a resolver in a group can build on automatic resolution", async () => {
  const { data } = createMockServer(SCHEMA, {
    resolvers: {
      PostMutations: {
        update(obj, { id, input }, context, info) {
          const { title } = Object(input);
          const loud = { id, input: { title: `${title}!` } };
          return mockGraphQLFieldResolver(obj, loud, context, info);
        },
      },
    },
    data: { posts: [{ id: "1", title: "x" }] },
  });
  deepStrictEqual(
    await data(`mutation { posts { update(id: 1, input: { title: "y" }) { title } } }`),
    {
      posts: { update: { title: "y!" } },
    },
  );
});

Deno.test("under conventions, a group names the model of a mutation that is a verb alone", async () => {
  const { data, dump, errors } = createMockServer(
    `
    type Post { id: Int! title: String! isActive: Boolean! }
    type Status { succeeded: Boolean! errorCode: Int! message: String }
    type Response { status: Status }
    type Query { posts: [Post!]! }
    type Mutation { posts: PostMutation site: SiteMutation }
    type PostMutation {
      create(title: String!): Response
      activate(id: Int!): Response
      delete(id: Int!): Response
      retitleAll(id: Int!, title: String!): Response
    }
    type SiteMutation { delete(id: Int!): Response }
  `,
    {
      conventions: "common",
      data: { posts: [{ id: "1", title: "A", isActive: false }, { id: "2", title: "B" }] },
    },
  );
  const status = { status: { succeeded: true, errorCode: 0, message: "OK" } };
  const selection = "{ status { succeeded errorCode message } }";
  deepStrictEqual(
    await data(`mutation { posts {
      create(title: "C") ${selection} activate(id: 1) ${selection} delete(id: 2) ${selection}
    } }`),
    { posts: { create: status, activate: status, delete: status } },
  );
  const posts = [
    { id: "1", title: "A", isActive: true },
    { id: "3", title: "C" },
  ];
  deepStrictEqual(dump(), { posts });
  for (const call of ['posts { retitleAll(id: 1, title: "x")', "site { delete(id: 1)"]) {
    const [message = ""] = await errors(`mutation { ${call} ${selection} } }`);
    match(message, /default resolver/);
  }
  deepStrictEqual(dump(), { posts });
});

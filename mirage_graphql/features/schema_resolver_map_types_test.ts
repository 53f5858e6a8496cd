import { deepStrictEqual } from "node:assert/strict";
import { type GraphQLResolveInfo, GraphQLScalarType } from "graphql";
import { createServer } from "miragejs";
import {
  createFetchHandler,
  createGraphQLHandler,
  type HandlerOptions,
  type MockContext,
  type MockRequest,
  type ResolverMap,
} from "../mod.ts";
import type { AppContext, Resolvers } from "../testing/codegen_resolvers.ts";

const SCHEMA = `
  scalar Date
  enum Mood { HAPPY SAD }
  interface Animal { id: ID! name: String }
  type Cat implements Animal { id: ID! name: String }
  type Dog implements Animal { id: ID! name: String }
  union Pet = Cat | Dog
  type Person { id: ID! name: String born: Date mood: Mood pets(name: String): [Pet!]! }
  input PersonInput { name: String! }
  type Query { people: [Person!]! person(id: ID!): Person }
  type Mutation { createPerson(input: PersonInput!): Person! }
  type Subscription { personCreated: Person! }
`;

/** Compiles only if the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;

function is<_Check extends true>(): void {}

const generated: Resolvers = {
  Date: new GraphQLScalarType<Date, string>({
    name: "Date",
    serialize: (value) => value instanceof Date ? value.toJSON() : String(value),
  }),
  Mood: { HAPPY: "HAPPY", SAD: "SAD" },
  Cat: { name: (cat, _args, { user }) => `${cat.name} of ${user}`, __isTypeOf: () => false },
  Pet: { __resolveType: (pet) => pet.__typename ?? null },
  Animal: { __resolveType: (animal) => animal.__typename ?? null },
  Person: {
    name: { resolve: ({ name }, _args, { user }) => `${name} for ${user}` },
    pets: (_person, { name }) => [{ __typename: "Dog", id: "1", name: name ?? null }],
    __isTypeOf: ({ id }) => id !== "",
  },
  Query: {
    person: (_root, { id }) => ({ id, name: "Ada", born: new Date(0), mood: null, pets: [] }),
  },
  Mutation: {
    createPerson: async (_root, { input }) => {
      await Promise.resolve();
      return { id: "9", name: input.name, born: null, mood: "SAD" as const, pets: [] };
    },
  },
  Subscription: {
    personCreated: {
      async *subscribe() {
        yield await Promise.resolve({
          personCreated: { id: "1", name: null, born: null, mood: null, pets: [] },
        });
      },
    },
  },
};

const request = (query: string) => ({ requestBody: JSON.stringify({ query }) });

Deno.test("resolvers with generated types compile, and work", async () => {
  const { schema } = createServer({ environment: "test" });
  const handler = createGraphQLHandler(SCHEMA, schema, {
    resolvers: generated,
    context: { user: "Bo" },
  });
  const { data } = await handler(
    schema,
    request(`{ person(id: 1) { name born pets(name: "Rex") { __typename ... on Dog { name } } } }`),
  );
  deepStrictEqual(JSON.parse(JSON.stringify(data)), {
    person: {
      name: "Ada for Bo",
      born: "1970-01-01T00:00:00.000Z",
      pets: [{ __typename: "Dog", name: "Rex" }],
    },
  });
});

Deno.test("resolvers with generated types fit every option that accepts resolvers", () => {
  const { schema } = createServer({ environment: "test" });
  const map: ResolverMap<AppContext> = generated;
  const options: HandlerOptions<AppContext> = { resolvers: generated, context: { user: "Ada" } };
  createGraphQLHandler(SCHEMA, schema, options);
  createGraphQLHandler<AppContext>(SCHEMA, schema, { resolvers: map, context: { user: "Ada" } });
  createGraphQLHandler(SCHEMA, schema, { resolvers: generated });
  createFetchHandler(SCHEMA, schema, { resolvers: generated, context: () => ({ user: "Ada" }) });
});

Deno.test("obj, args, context and info have types without annotations", () => {
  const { schema } = createServer({ environment: "test" });
  createGraphQLHandler(SCHEMA, schema, {
    context: { user: "Ada", level: 1 },
    resolvers: {
      Query: {
        person(obj, args, context, info) {
          is<Same<typeof obj[string], unknown>>();
          is<Same<typeof args, Record<string, unknown>>>();
          is<Same<typeof context.user, string>>();
          is<Same<typeof context.level, number>>();
          is<Same<typeof context.request, MockRequest>>();
          is<Same<typeof info, GraphQLResolveInfo>>();
          // @ts-expect-error the context has no such member
          context.nobody;
          return context.mockSchema.people.find(args.id) ?? context.mirageSchema.people.first();
        },
        people: (_obj, _args, { user, mockSchema }) => mockSchema.people.where({ name: user }),
      },
      Person: { name: ({ name }) => name },
    },
  });
});

Deno.test("Context is inferred from a function of the request, even an asynchronous one", () => {
  const { schema } = createServer({ environment: "test" });
  createGraphQLHandler(SCHEMA, schema, {
    context: (request) => ({ user: request.requestHeaders?.["X-User"] }),
    resolvers: {
      Query: {
        person(_obj, _args, context) {
          is<Same<typeof context.user, string | undefined>>();
          return null;
        },
      },
    },
  });
  createGraphQLHandler(SCHEMA, schema, {
    context: async ({ method }) => await Promise.resolve({ method, level: 1 }),
    resolvers: {
      Query: {
        person(_obj, _args, context) {
          is<Same<typeof context.method, string | undefined>>();
          is<Same<typeof context.level, number>>();
          return null;
        },
      },
    },
  });
});

Deno.test("without a context option, resolvers still find the mock schema and the request", () => {
  const { schema } = createServer({ environment: "test" });
  createGraphQLHandler(SCHEMA, schema, {
    resolvers: {
      Query: {
        person(_obj, { id }, context) {
          is<Same<typeof context, MockContext>>();
          return context.mockSchema.people.find(id);
        },
      },
    },
  });
});

Deno.test("parameters of resolvers may have narrower types than declared", () => {
  const { schema } = createServer({ environment: "test" });
  createGraphQLHandler(SCHEMA, schema, {
    resolvers: {
      Query: {
        person: (_obj: unknown, { id }: { id: string }, { user }: AppContext) => ({ id, user }),
      },
      Person: { name: ({ name }: { name: string }) => name.toUpperCase() },
    },
  });
});

Deno.test("what is not a resolver map doesn't compile", () => {
  // @ts-expect-error a type's resolvers are an object
  const wrong: ResolverMap = { Person: 1 };
  // @ts-expect-error a resolver is not a symbol
  const none: ResolverMap = { Person: { name: Symbol("name") } };
  deepStrictEqual([typeof wrong, typeof none], ["object", "object"]);
});

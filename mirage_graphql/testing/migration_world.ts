import { createServer } from "miragejs";
import { createFetchInterceptor, type MockRequest, type MockSchema } from "../mod.ts";
import { ModelClass } from "./model_class.ts";

/** What a handler of either package returns: a result, or a Mirage `Response` that contains it. */
interface Answered {
  readonly code?: number;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message?: string }[];
}

/** A handler of either package. */
export type AnyHandler = (
  mockSchema: MockSchema,
  request: MockRequest,
) => Promise<Answered> | Answered;

/** Creates a handler of one package or the other. */
export type MakeHandler = (
  graphQLSchema: string,
  mockSchema: MockSchema,
  options?: object,
) => AnyHandler;

/** Sends requests to a new world with a handler of that package. */
export type Ask = (makeHandler: MakeHandler) => Promise<unknown>;

/** The schema of the world. */
export const SCHEMA = `
  interface Named { id: ID! }
  # A human
  type Person implements Named { id: ID! name: String loud: String posts(isbn: ID): [Post!]! }
  type Post implements Named { id: ID! title: String isbn: ID author: Person }
  type PostEdge { cursor: String! node: Post }
  type PageInfo { startCursor: String endCursor: String }
  type PostConnection { edges: [PostEdge] pageInfo: PageInfo! }
  union Item = Person | Post
  input PersonInput { name: String }
  input PostInput { title: String authorId: ID }
  type Query {
    people(name: String, sortBy: String): [Person!]!
    item: Item
    made: Item
    named: [Named!]!
    posts(first: Int, last: Int, after: String): PostConnection
  }
  type Mutation {
    createPerson(input: PersonInput!): Person
    updatePerson(id: ID!, input: PersonInput!): Person
    deletePerson(id: ID!): Person
    removePerson(id: ID!): Boolean
    createPost(input: PostInput!): Post
  }
`;

/** Two people and two posts of the first. */
function createWorld(makeHandler: MakeHandler, options?: object) {
  const server = createServer({ environment: "test" });
  const handler = makeHandler(SCHEMA, server.schema, options);
  server.db.loadData({
    people: [{ id: "1", name: "Ada", postIds: ["1", "2"] }, { id: "2", name: null, postIds: [] }],
    posts: [{ id: "1", title: "A", authorId: "1", isbn: 7 }, {
      id: "2",
      title: "B",
      authorId: "1",
    }],
  });
  const send = async (requestBody: string): Promise<unknown> => {
    const { data, errors } = await handler(server.schema, { requestBody });
    return errors?.map(({ message }) => message).join("\n") ?? JSON.parse(JSON.stringify(data));
  };
  return { server, send };
}

/** Runs one query; returns its data, or the texts of its errors. */
export function query(query: string, variables?: object, options?: object): Ask {
  return (makeHandler) =>
    createWorld(makeHandler, options).send(JSON.stringify({ query, variables }));
}

/** Sends a body unchanged. */
export function body(text: string): Ask {
  return (makeHandler) => createWorld(makeHandler).send(text);
}

/** Runs one query, and then lists the remaining people. */
export function left(query: string, variables: object, options?: object): Ask {
  return async (makeHandler) => {
    const { server, send } = createWorld(makeHandler, options);
    const answer = await send(JSON.stringify({ query, variables }));
    return [answer, server.db.people?.map(({ id }: { id: string }) => id)];
  };
}

/** Sends a request to a route of Mirage; returns the status of the response. */
export const status = (headers: Readonly<Record<string, string>>): Ask => async (makeHandler) => {
  using interceptor = createFetchInterceptor();
  createServer({
    ...interceptor,
    environment: "test",
    routes() {
      this.post("/graphql", makeHandler(SCHEMA, this.schema) as never);
    },
  });
  const body = JSON.stringify({ query: "{ people { id } }" });
  return (await fetch("/graphql", { method: "POST", headers, body })).status;
};

/** Reads a getter of a user-defined class. */
export const getter: Ask = async (makeHandler) => {
  class Person extends ModelClass {
    get loud(): string {
      return `${this.name}!`;
    }
  }
  const server = createServer({ environment: "test", models: { person: Person as never } });
  const handler = makeHandler(SCHEMA, server.schema);
  server.db.loadData({ people: [{ name: "Ada" }] });
  const requestBody = JSON.stringify({ query: "{ people { loud } }" });
  const { data } = await handler(server.schema, { requestBody });
  return JSON.parse(JSON.stringify(data));
};

/** Creates a handler, or returns the error if that fails. */
export function make(graphQLSchema: string, options?: object): Ask {
  return (makeHandler) => {
    const { schema } = createServer({ environment: "test" });
    try {
      return Promise.resolve(typeof makeHandler(graphQLSchema, schema, options));
    } catch (error) {
      return Promise.resolve(String(error));
    }
  };
}

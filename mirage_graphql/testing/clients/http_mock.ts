import { createServer } from "miragejs";
import {
  createFetchHandler,
  createFetchInterceptor,
  type FetchHandler,
  type IdFormat,
} from "../../mod.ts";

/** The schema of the mock. */
export const SCHEMA = `
  scalar Upload
  type Person { id: ID! name: String! photo: String }
  type Cat { id: ID! name: String! lives: Int }
  type Dog { id: ID! name: String! breed: String }
  union Pet = Cat | Dog
  type PersonEdge { node: Person! cursor: String! }
  type PageInfo {
    hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String
  }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! totalCount: Int! }
  input PersonInput { name: String! photo: Upload }
  type Query {
    people: [Person!]!
    person(id: ID!): Person
    peoplePage(first: Int, after: String): PersonConnection!
    pets: [Pet!]!
    bad: String
  }
  type Mutation { createPerson(input: PersonInput!): Person! }
`;

export const PEOPLE = "query People { people { id name } }";
export const PERSON = "query GetPerson($id: ID!) { person(id: $id) { id name } }";
export const PETS =
  "query Pets { pets { ... on Cat { id name lives } ... on Dog { id name breed } } }";
/** As a compiler of Relay sends it, which adds `__typename` to abstract types. */
export const TYPED_PETS = PETS.replace("{ pets {", "{ pets { __typename");
export const PAGE = `query Page($after: String) {
  peoplePage(first: 2, after: $after) {
    edges { node { id name } cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
export const DEFERRED = "query Deferred { people { id ... @defer { name } } }";
export const CREATE = `mutation CreatePerson($input: PersonInput!) {
  createPerson(input: $input) { id name }
}`;
export const UPLOAD = `mutation UploadPhoto($input: PersonInput!) {
  createPerson(input: $input) { id name photo }
}`;

export const NAMES: readonly string[] = ["Ada", "Grace", "Edsger"];
export const URL_OF_MOCK = "http://mock.test/graphql";

/** The options of the mock in which clients differ. */
export interface HttpMockOptions {
  readonly ids?: IdFormat;
}

/** A mock for the tests of clients, and the requests that it got. */
export interface HttpMock {
  readonly handler: FetchHandler;
  readonly fetch: typeof fetch;
  /** The text of each request's body; that of an upload is empty. */
  readonly bodies: readonly string[];
  close(): void;
}

/** Creates a mock with three people and two pets, which a client's `fetch` option reaches. */
export function createHttpMock(options: HttpMockOptions = {}): HttpMock {
  const server = createServer({ ...createFetchInterceptor(), environment: "test" });
  const { schema, db } = server;
  const handler = createFetchHandler(SCHEMA, schema, {
    ...options,
    batch: true,
    resolvers: {
      Query: {
        bad() {
          throw new Error("Cannot be good");
        },
      },
    },
  });
  db.loadData({
    people: NAMES.map((name) => ({ name })),
    cats: [{ id: "1", name: "Minka", lives: 9 }],
    dogs: [{ id: "1", name: "Rex", breed: "Boxer" }],
  });
  const bodies: string[] = [];
  return {
    handler,
    bodies,
    close: () => server.shutdown(),
    async fetch(input, init) {
      const request = new Request(input, init);
      const isForm = request.headers.get("content-type")?.startsWith("multipart/") ?? false;
      bodies.push(isForm ? "" : await request.clone().text());
      const response = await handler(request);
      request.signal.throwIfAborted();
      if (response.type === "error") throw new TypeError("Failed to fetch");
      return response;
    },
  };
}

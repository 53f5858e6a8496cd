/** A page with a mock whose records are kept, by the parameters of its address. */
import { createServer } from "miragejs";
import { createGraphQLHandler, createMock, type MockSchema } from "../mod.ts";

const parameters = new URL(location.href).searchParams;
const persist = parameters.get("persist") === "local" ? "local" : "session";
const field = parameters.get("field") ?? "name";

const graphQLSchema = `
  type User { id: ID! name: String! at: String email: String }
  type Note { id: ID! ${field}: String! author: User }
  type Payload { token: String user: User }
  type Query { notes: [Note!]! users: [User!]! me: User }
  type Mutation {
    createNote(${field}: String!): Note
    deleteNote(id: ID!): Note
    login(email: String!): Payload
    logout: Boolean
  }
`;
const seeds = {
  notes: [{ [field]: "first" }],
  users: [{ name: "Ada", email: "ada@site.test", at: new Date(0) }, {
    name: "Bo",
    email: "bo@b.test",
  }],
};
const options = { conventions: "common", persist } as const;

function createPageMock() {
  const mock = createMock(graphQLSchema, undefined, options);
  mock.db.loadData(seeds);
  return mock;
}

/** In Mirage's environment of the address, with a handler as its route. */
function createPageServer(environment: string) {
  const server = createServer({ environment, logging: false });
  const handler = createGraphQLHandler(graphQLSchema, server.schema as MockSchema, options);
  server.post("/graphql", handler);
  server.db.loadData(seeds);
  return { query: handler.query, db: server.db, reset: handler.reset };
}

const environment = parameters.get("environment");
const mock = environment === null ? createPageMock() : createPageServer(environment);
const warnings: string[] = [];
console.warn = (text: string) => warnings.push(text);

const run = (query: string) => mock.query(query);
const isDate = () =>
  (mock.db as unknown as Record<string, { at: unknown }[]>).users?.[0]?.at instanceof Date;
Object.assign(globalThis, { run, warnings, isDate, reset: () => mock.reset(), db: mock.db });

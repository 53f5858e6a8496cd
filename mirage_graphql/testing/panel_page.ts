/** A page with a panel: a mock behind a Mirage server that answers `fetch`, or `XMLHttpRequest`. */
import { createServer, Response } from "miragejs";
import { createFetchInterceptor, createMock } from "../mod.ts";
import { mountPanel } from "../panel.ts";
import { createWebSocketInterceptor } from "../ws.ts";

const graphQLSchema = `
  type Team { id: ID! name: String! members: [Person!]! }
  type Person { id: ID! name: String! team: Team }
  input PersonInput { name: String! teamId: ID }
  type Query { people: [Person!]! teams: [Team!]! }
  type Mutation {
    createPerson(input: PersonInput!): Person!
    promote(person: ID!, grade: Int!): Person!
  }
  type Subscription { personCreated: Person! }
`;

const isXhr = new URL(location.href).searchParams.has("xhr");
const server = createServer({ ...isXhr ? {} : createFetchInterceptor(), timing: 0 });
server.logging = false;
const mock = createMock(graphQLSchema, server.schema, { warnings: false });
server.post("/graphql", mock.route);
server.get("/api/rooms", () => [{ id: "1", name: "Galley" }]);
server.get("/api/rooms/:id", (_schema, { params: { id } }) => new Response(200, {}, { id }));
createWebSocketInterceptor("/graphql", mock);
mock.db.loadData({
  teams: [
    { id: "1", name: "Harbor", memberIds: ["1"] },
    { id: "2", name: "<b>Deck</b>", memberIds: [] },
  ],
  people: [
    { id: "1", name: "Ada", teamId: "1" },
    { id: "2", name: "<img src=x onerror=alert(1)>", teamId: null },
  ],
});

const ask = async (query: string, variables?: object): Promise<unknown> => {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  return await response.json();
};

/** Rejects once an answer takes too long: a planned delay may be an hour. */
const late = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error("Cannot wait longer")), 60_000));

const panel = mountPanel(mock, { server });
Object.assign(globalThis, { ask, late, mock, mountPanel, panel, server });

import { createMockServer, type MockServer, type MockServerOptions } from "./mock_server.ts";

const connection = (type: string) => `
  type ${type}Edge { cursor: String! node: ${type} }
  type ${type}Connection {
    edges: [${type}Edge!]! nodes: [${type}] pageInfo: PageInfo! totalCount: Int!
  }`;

const PAGING = "first: Int, after: String, last: Int, before: String";

const SCHEMA = `
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  interface Animal { id: ID! name: String }
  type Cat implements Animal { id: ID! name: String }
  type Dog implements Animal { id: ID! name: String }
  union Pet = Cat | Dog
  type Person { id: ID! name: String team: Team pets(${PAGING}): PetConnection! }
  type Team {
    id: ID! name: String
    people(${PAGING}, name: String, sort: Boolean): PersonConnection!
  }
  type Report { people(${PAGING}, name: String): PersonConnection! title: String }
  ${["Person", "Team", "Animal", "Pet"].map(connection).join("\n")}
  type Query {
    people(${PAGING}, name: String, team: ID, id: [ID!]): PersonConnection!
    teams(${PAGING}): TeamConnection!
    team(id: ID): Team
    animals(${PAGING}, name: String): AnimalConnection
    pets(${PAGING}): PetConnection
    report: Report
    sorted(${PAGING}, desc: Boolean): PersonConnection!
  }
`;

/** The cursor of a record, without the code that is tested. */
export const cursor = (id: string, type = "Person"): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(`${type}:${id}`)));

const NAMES = ["Ada", "Bo", "Cy", "Di", "Ed"];
const DATA = {
  people: NAMES.map((name, index) => ({
    id: String(index + 1),
    name,
    teamId: index < 3 ? "1" : "2",
    petIds: index === 0 ? [{ type: "dog", id: "1" }, { type: "cat", id: "1" }] : [],
  })),
  teams: [
    { id: "1", name: "Red", personIds: ["3", "1", "2"] },
    { id: "2", name: "Blue", personIds: ["4", "5"] },
    { id: "3", name: "Empty", personIds: [] },
  ],
  cats: [{ id: "1", name: "Tom" }, { id: "2", name: "Kit" }],
  dogs: [{ id: "1", name: "Rex" }, { id: "2", name: "Tom" }],
};

/** A server with five people in three teams, cats and dogs, and connections of all of them. */
export function createConnectionServer(options: MockServerOptions<unknown> = {}): MockServer {
  return createMockServer(SCHEMA, { data: DATA, ...options });
}

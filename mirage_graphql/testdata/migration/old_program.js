import { createGraphQLHandler, mirageGraphQLFieldResolver } from "@miragejs/graphql";
import { createServer, Factory, hasMany, Model } from "miragejs";

const graphQLSchema = `
  enum Mood { HAPPY SAD }
  interface Media { id: ID! title: String! }
  type Book implements Media { id: ID! title: String! pages: Int author: Person authorKey: String }
  type Film implements Media { id: ID! title: String! minutes: Int }
  union Found = Book | Film | Person
  type Person {
    id: ID!
    firstName: String!
    lastName: String!
    fullName: String!
    mood: Mood
    books(title: String): [Book!]!
    bookCount: Int!
    bookKeys: String!
  }
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  type FilmEdge { cursor: String! node: Film }
  type FilmConnection { edges: [FilmEdge!]! pageInfo: PageInfo! totalCount: Int! }
  input PersonInput { firstName: String lastName: String mood: Mood }
  type Query {
    person(id: ID!): Person
    allPeople: [Person]
    people(firstName: String, lastName: String, mood: Mood, sortBy: String): [Person]
    films(first: Int, after: String, last: Int, before: String): FilmConnection!
    found: [Found!]!
    media(id: ID): Media
    me: Person
    version: String!
  }
  type Mutation {
    createPerson(input: PersonInput!): Person
    updatePerson(id: ID!, input: PersonInput!): Person
    deletePerson(id: ID!): Person
    forgetPerson(id: ID!): Boolean
    cheerUp(lastName: String!): [Person!]!
    fail(reason: String!): Person
  }
`;

const resolvers = {
  Query: {
    people(obj, args, context, info) {
      const { sortBy } = args;
      delete args.sortBy;
      const records = mirageGraphQLFieldResolver(obj, args, context, info);
      return sortBy ? records.sort((a, b) => a[sortBy].localeCompare(b[sortBy])) : records;
    },
    me: (_obj, _args, { mirageSchema, userId }) => mirageSchema.people.find(userId),
    version: () => "1.0",
  },
  Person: {
    fullName: ({ firstName, lastName }) => `${firstName} ${lastName}`,
    bookCount: (person) => person.books.models.length,
    bookKeys: ({ bookIds }) => bookIds.join(),
  },
  Book: { authorKey: ({ authorId }) => `Person ${authorId}` },
  Mutation: {
    forgetPerson(_obj, { id }, { mirageSchema }) {
      const person = mirageSchema.people.find(id);
      if (person) person.destroy();
      return person !== null;
    },
    cheerUp(_obj, { lastName }, { mirageSchema }) {
      const people = mirageSchema.people.where({ lastName });
      people.update({ mood: "HAPPY" });
      return people.models;
    },
    fail(_obj, { reason }) {
      throw new Error(reason);
    },
  },
};

const operations = [
  ["query ($id: ID!) { person(id: $id) { id firstName lastName __typename } }", { id: "2" }],
  ["{ person(id: 99) { id } }"],
  ["{ allPeople { ...names } } fragment names on Person { id fullName }"],
  ["query ($lastName: String) { people(lastName: $lastName) { firstName } }", {
    lastName: "Haake",
  }],
  ['{ people(sortBy: "lastName") { lastName } happy: people(mood: HAPPY) { id mood } }'],
  ['{ person(id: 1) { bookCount bookKeys books { title authorKey author { firstName } } one: books(title: "B") { id } } }'],
  ["{ films(first: 2) { totalCount edges { cursor node { title } } pageInfo { hasNextPage endCursor } } }"],
  ['{ films(first: 2, after: "RmlsbToy") { edges { node { id } } pageInfo { hasPreviousPage hasNextPage } } }'],
  ['{ films(last: 1, before: "RmlsbToz") { edges { cursor } } }'],
  ["{ found { __typename ... on Book { title pages } ... on Film { minutes } ... on Person { firstName } } }"],
  ["{ media { id title ... on Film { minutes } } }"],
  ["{ me { id fullName } version }"],
  [
    "mutation ($input: PersonInput!) { createPerson(input: $input) { id fullName mood } }",
    { input: { firstName: "Ola", lastName: "Englund", mood: "SAD" } },
  ],
  [
    "mutation ($id: ID!, $input: PersonInput!) { updatePerson(id: $id, input: $input) { id fullName mood } }",
    { id: "4", input: { lastName: "Strandberg" } },
  ],
  ["mutation ($id: ID!) { deletePerson(id: $id) { id lastName } }", { id: "4" }],
  ["mutation ($id: ID!) { forgetPerson(id: $id) }", { id: "3" }],
  ["mutation ($lastName: String!) { cheerUp(lastName: $lastName) { id mood } }", {
    lastName: "Nilsson",
  }],
  ["mutation ($reason: String!) { fail(reason: $reason) { id } }", { reason: "Not today" }],
  ["{ allPeople { id mood } }"],
  ["{ nothing }"],
];

/** Sends the operations in turn, and returns what was answered. */
export async function run() {
  const server = createServer({
    environment: "test",
    models: { person: Model.extend({ books: hasMany() }) },
    factories: { person: Factory.extend({ mood: "SAD" }) },
  });
  const handler = createGraphQLHandler(graphQLSchema, server.schema, {
    resolvers,
    context: { userId: "1" },
  });
  const author = server.create("person", { firstName: "Mikael", lastName: "Åkerfeldt" });
  server.create("person", { firstName: "Per", lastName: "Nilsson" });
  server.create("person", { firstName: "Tomas", lastName: "Haake", mood: "HAPPY" });
  for (const title of ["A", "B"]) server.create("book", { title, pages: 7, author });
  for (const title of ["C", "D", "E"]) server.create("film", { title, minutes: 90 });

  const answers = [];
  for (const [query, variables] of operations) {
    const request = { requestBody: JSON.stringify({ query, variables }) };
    const { data, errors = [] } = await handler(server.schema, request);
    answers.push({ data, errors: errors.map(({ message }) => message) });
  }
  return JSON.parse(JSON.stringify(answers));
}

import { createGraphQLHandler as createPeerHandler } from "@miragejs/graphql";
import { addResolversToSchema } from "@graphql-tools/schema";
import { buildSchema, type DocumentNode, execute, parse, validate } from "graphql";
import { createServer } from "miragejs";
import { createGraphQLHandler } from "../mod.ts";
import { peopleRows, petRows, type Row, SCHEMA, type Size } from "./data.ts";

/** Answers a request; the result has `data`. */
export type Answer = (query: string, variables?: Record<string, unknown>) => unknown;

/** The implementations that are compared. */
export interface Contenders {
  readonly ours: Answer;
  /** The same with all conventions. */
  readonly common: Answer;
  readonly peer: Answer;
  readonly floor: Answer;
}

/** Creates the same records for each contender in its own database. */
export function createContenders(size: Size): Contenders {
  const ours = createDatabase(size);
  const common = createDatabase(size);
  const peer = createDatabase(size);
  const request = (query: string, variables?: object) => ({
    requestBody: JSON.stringify({ query, variables }),
    requestHeaders: {},
    url: "/graphql",
    params: {},
    queryParams: {},
  });
  const resolvers = { Person: { fullName } };
  const handler = createGraphQLHandler(SCHEMA, ours.schema, { resolvers });
  const commonHandler = createGraphQLHandler(SCHEMA, common.schema, {
    resolvers,
    conventions: "common",
  });
  const peerHandler = createPeerHandler(SCHEMA, peer.schema, {
    resolvers,
    context: {},
    root: undefined,
  });
  return {
    ours: (query, variables) => handler(ours.schema, request(query, variables)),
    common: (query, variables) => commonHandler(common.schema, request(query, variables)),
    peer: (query, variables) => peerHandler(peer.schema, request(query, variables)),
    floor: createFloor(size),
  };
}

/** The only user-defined resolver. */
const fullName = ({ firstName, lastName }: Row) => `${firstName} ${lastName}`;

function createDatabase(size: Size) {
  const server = createServer({ environment: "test" });
  createGraphQLHandler(SCHEMA, server.schema); // makes the models
  const { cats, dogs } = petRows(size.pets);
  server.db.loadData({ people: peopleRows(size.people), cats, dogs, ...authorRows(size) });
  return server;
}

function authorRows({ authors, postsEach }: Size) {
  const ids = Array.from({ length: authors }, (_, index) => index + 1);
  const postIds = (author: number) =>
    Array.from({ length: postsEach }, (_, index) => String((author - 1) * postsEach + index + 1));
  return {
    authors: ids.map((id) => ({ id: String(id), name: `Author ${id}`, postIds: postIds(id) })),
    posts: ids.flatMap((id) =>
      postIds(id).map((post) => ({ id: post, title: `Post ${post}`, authorId: String(id) }))
    ),
  };
}

/** graphql-js over plain arrays, with a cache of parsed and validated documents. */
function createFloor(size: Size): Answer {
  const schema = addResolversToSchema({
    schema: buildSchema(SCHEMA),
    resolvers: { Person: { fullName } },
  });
  const documents = new Map<string, DocumentNode>();
  const rootValue = createRoot(size);
  return (query, variables) => {
    const { query: source, variables: variableValues } = JSON.parse(
      JSON.stringify({ query, variables }),
    );
    const document = documents.get(source) ?? parse(source);
    if (!documents.has(source)) {
      const [error] = validate(schema, document);
      if (error !== undefined) throw error;
      documents.set(source, document);
    }
    return execute({ schema, document, rootValue, variableValues });
  };
}

function createRoot(size: Size) {
  const people = peopleRows(size.people);
  const byId = new Map(people.map((person) => [person.id, person]));
  const { cats, dogs } = petRows(size.pets);
  const pets = [
    ...cats.map((cat) => ({ ...cat, __typename: "Cat" })),
    ...dogs.map((dog) => ({ ...dog, __typename: "Dog" })),
  ];
  const { authors, posts } = authorRows(size);
  const fullAuthors = authors.map((author) => ({
    ...author,
    posts: posts.filter(({ authorId }) => authorId === author.id).map((post) => ({
      ...post,
      author,
    })),
  }));
  return {
    people: ({ lastName }: { lastName?: string }) =>
      lastName === undefined ? people : people.filter((person) => person.lastName === lastName),
    person: ({ id }: { id: string }) => byId.get(id),
    pets,
    authors: fullAuthors,
    peoplePage: ({ first }: { first: number }) => pageOf(people, first),
    createPerson: ({ input }: { input: Row }) => {
      const person = { ...input, id: String(people.length + 1) };
      people.push(person);
      return person;
    },
  };
}

function pageOf(people: readonly Row[], first: number) {
  const edges = people.slice(0, first).map((node) => ({ node, cursor: btoa(`Person:${node.id}`) }));
  const pageInfo = {
    hasPreviousPage: false,
    hasNextPage: edges.length < people.length,
    startCursor: edges[0]?.cursor,
    endCursor: edges.at(-1)?.cursor,
  };
  return { edges, pageInfo, totalCount: people.length };
}

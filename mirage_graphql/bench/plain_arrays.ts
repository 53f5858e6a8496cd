import { addResolversToSchema } from "@graphql-tools/schema";
import { buildSchema, type DocumentNode, type GraphQLSchema, parse, validate } from "graphql";
import { authorRows, peopleRows, petRows, type Row, SCHEMA, type Size } from "./data.ts";

/** The only resolver that handlers have too. */
export const fullName = ({ firstName, lastName }: Row): string => `${firstName} ${lastName}`;

/** A record that hand-written resolvers read. */
type Rec = Readonly<Record<string, unknown>>;

/** Where hand-written resolvers read and write records. */
export interface Records {
  people(): readonly Rec[];
  person(id: string): Rec | undefined;
  pets(): readonly Rec[];
  authors(): readonly Rec[];
  create(input: Row): Rec;
}

/** The schema with hand-written resolvers over plain arrays, where relations are references. */
export function createPlainSchema(size: Size): GraphQLSchema {
  const people = peopleRows(size.people);
  const byId = new Map(people.map((person) => [person.id, person]));
  const { cats, dogs } = petRows(size.pets);
  const pets = [
    ...cats.map((cat) => ({ ...cat, __typename: "Cat" })),
    ...dogs.map((dog) => ({ ...dog, __typename: "Dog" })),
  ];
  const authors = linkedAuthors(size);
  return createWrittenSchema({
    people: () => people,
    person: (id) => byId.get(id),
    pets: () => pets,
    authors: () => authors,
    create(input) {
      const person = { ...input, id: String(people.length + 1) };
      people.push(person);
      return person;
    },
  });
}

/** The schema with hand-written resolvers, and those of relations that are no references. */
export function createWrittenSchema(
  records: Records,
  relations: Readonly<Record<string, object>> = {},
): GraphQLSchema {
  return addResolversToSchema({
    schema: buildSchema(SCHEMA),
    resolvers: {
      Person: { fullName },
      Query: {
        people: (_root: unknown, { lastName }: { lastName?: string }) =>
          lastName === undefined
            ? records.people()
            : records.people().filter((person) => person.lastName === lastName),
        person: (_root: unknown, { id }: { id: string }) => records.person(id),
        pets: () => records.pets(),
        authors: () => records.authors(),
        peoplePage: (_root: unknown, { first }: { first: number }) =>
          pageOf(records.people(), first),
      },
      Mutation: {
        createPerson: (_root: unknown, { input }: { input: Row }) => records.create(input),
      },
      ...relations,
    },
  });
}

function linkedAuthors(size: Size) {
  const { authors, posts } = authorRows(size);
  return authors.map((author) => ({
    ...author,
    posts: posts.filter(({ authorId }) => authorId === author.id).map((post) => ({
      ...post,
      author,
    })),
  }));
}

function pageOf(people: readonly Rec[], first: number) {
  const edges = people.slice(0, first).map((node) => ({ node, cursor: btoa(`Person:${node.id}`) }));
  const pageInfo = {
    hasPreviousPage: false,
    hasNextPage: edges.length < people.length,
    startCursor: edges[0]?.cursor,
    endCursor: edges.at(-1)?.cursor,
  };
  return { edges, pageInfo, totalCount: people.length };
}

/** Prepares each document of a schema once: it is parsed, validated and given to the function. */
export function createPrepared<Prepared>(
  schema: GraphQLSchema,
  prepare: (document: DocumentNode) => Prepared,
): (source: string) => Prepared {
  const known = new Map<string, Prepared>();
  return (source) => {
    const found = known.get(source);
    if (found !== undefined) return found;
    const document = parse(source);
    const [error] = validate(schema, document);
    if (error !== undefined) throw error;
    const prepared = prepare(document);
    known.set(source, prepared);
    return prepared;
  };
}

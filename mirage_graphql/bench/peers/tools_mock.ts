import {
  addMocksToSchema,
  createMockStore,
  isRef,
  type Ref,
  relayStylePaginationMock,
} from "@graphql-tools/mock";
import { buildSchema, type GraphQLSchema } from "graphql";
import { authorRows, peopleRows, petRows, type Row, SCHEMA, type Size } from "../data.ts";

type Store = ReturnType<typeof createMockStore>;

/**
 * The schema mocked by `@graphql-tools/mock`: the records are in its store, and the resolvers that
 * it needs for them are as in its documentation.
 */
export function createMockedSchema(size: Size): GraphQLSchema {
  const schema = buildSchema(SCHEMA);
  const store = createMockStore({ schema });
  const people = insertAll(store, "Person", peopleRows(size.people));
  const { cats, dogs } = petRows(size.pets);
  const pets = [...insertAll(store, "Cat", cats), ...insertAll(store, "Dog", dogs)];
  const authors = insertAuthors(store, size);
  return addMocksToSchema({
    schema,
    store,
    resolvers: {
      Person: { fullName: (person: Ref) => fullNameOf(store, person) },
      Query: {
        people: (_root: unknown, { lastName }: { lastName?: string }) =>
          lastName === undefined
            ? people
            : people.filter((person) => store.get(person, "lastName") === lastName),
        person: (_root: unknown, { id }: { id: string }) => store.get("Person", id),
        pets: () => pets,
        authors: () => authors,
        peoplePage: relayStylePaginationMock(store, {
          allNodesFn: () => people,
          cursorFn: ({ $ref }) => btoa(`Person:${$ref.key}`),
        }),
      },
      Mutation: {
        createPerson: (_root: unknown, { input }: { input: Row }) => {
          const id = String(people.length + 1);
          people.push(...insertAll(store, "Person", [{ ...input, id }]));
          return people.at(-1);
        },
      },
    },
  });
}

function fullNameOf(store: Store, person: Ref): string {
  return `${store.get(person, "firstName")} ${store.get(person, "lastName")}`;
}

function insertAuthors(store: Store, size: Size): Ref[] {
  const { authors, posts } = authorRows(size);
  const authorRefs = insertAll(store, "Author", authors.map(({ id, name }) => ({ id, name })));
  const postRefs = insertAll(store, "Post", posts.map(({ id, title }) => ({ id, title })));
  for (const [at, { postIds }] of authors.entries()) {
    const author = authorRefs[at];
    if (author === undefined) continue;
    const own = postIds.flatMap((id) => postRefs[Number(id) - 1] ?? []);
    store.set(author, "posts", own);
    for (const post of own) store.set(post, "author", author);
  }
  return authorRefs;
}

function insertAll(store: Store, typeName: string, rows: readonly Row[]): Ref[] {
  return rows.map((row) => {
    store.set(typeName, String(row.id), { ...row });
    const ref = store.get(typeName, String(row.id));
    if (!isRef(ref)) throw new TypeError(`Cannot store ${typeName} "${row.id}"`);
    return ref;
  });
}

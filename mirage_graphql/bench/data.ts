/** The schema that all contenders answer from. */
export const SCHEMA = `
  interface Animal { id: ID! name: String! }
  type Cat implements Animal { id: ID! name: String! lives: Int! }
  type Dog implements Animal { id: ID! name: String! breed: String! }
  union Pet = Cat | Dog
  type Person { id: ID! firstName: String! lastName: String! age: Int! fullName: String! }
  type Author { id: ID! name: String! posts: [Post!]! }
  type Post { id: ID! title: String! author: Author! }
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  type PersonEdge { cursor: String! node: Person! }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! totalCount: Int! }
  input PersonInput { firstName: String! lastName: String! age: Int! }
  type Query {
    people(lastName: String): [Person!]!
    person(id: ID!): Person
    pets: [Pet!]!
    authors: [Author!]!
    peoplePage(first: Int, after: String): PersonConnection!
  }
  type Mutation { createPerson(input: PersonInput!): Person! }
`;

/** How many records of each type there are. */
export interface Size {
  readonly people: number;
  readonly pets: number;
  readonly authors: number;
  readonly postsEach: number;
}

/** A record without relations. */
export type Row = Record<string, string | number>;

/** People, of whom one in ten is a Haake. */
export function peopleRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    firstName: `First ${index}`,
    lastName: index % 10 === 0 ? "Haake" : `Last ${index}`,
    age: 20 + index % 50,
  }));
}

/** Half cats, half dogs. */
export function petRows(count: number): { cats: Row[]; dogs: Row[] } {
  const half = Array.from({ length: count / 2 }, (_, index) => String(index + 1));
  return {
    cats: half.map((id) => ({ id, name: `Cat ${id}`, lives: 9 })),
    dogs: half.map((id) => ({ id, name: `Dog ${id}`, breed: "mixed" })),
  };
}

/** Authors, and the posts of each. */
export function authorRows({ authors, postsEach }: Size) {
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

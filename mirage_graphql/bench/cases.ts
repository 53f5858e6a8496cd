import type { Size } from "./data.ts";

/** A size without records, to which a case adds its own. */
export const NONE: Size = { people: 0, pets: 0, authors: 0, postsEach: 0 };

/** A request, and the records that it is answered from. */
export interface Case {
  readonly name: string;
  readonly size: Partial<Size>;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  /** What is expected compared with `@miragejs/graphql` and graphql-js over plain arrays. */
  readonly target: string;
}

export const PEOPLE = "{ people { id firstName lastName age } }";
export const HAAKES = `{ people(lastName: "Haake") { id firstName lastName age } }`;
export const PETS =
  "{ pets { __typename ... on Cat { id name lives } ... on Dog { id name breed } } }";
export const AUTHORS = "{ authors { id name posts { id title author { name } } } }";
export const PAGE = `{ peoplePage(first: 20) { edges { cursor node { id firstName } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`;

const BY_ID = "query ($id: ID!) { person(id: $id) { id firstName } }";

/** The requests that are measured. */
export const CASES: readonly Case[] = [
  { name: "list of 10", size: { people: 10 }, query: PEOPLE, target: "7 x, floor 1.25" },
  { name: "list of 1,000", size: { people: 1000 }, query: PEOPLE, target: "5 x, floor 1.5" },
  { name: "list of 10,000", size: { people: 10_000 }, query: PEOPLE, target: "5 x, floor 1.5" },
  { name: "filter of 1,000", size: { people: 1000 }, query: HAAKES, target: "5 x" },
  { name: "union of 1,000", size: { pets: 1000 }, query: PETS, target: "5 x" },
  {
    name: "list of 1,000, with a resolver",
    size: { people: 1000 },
    query: "{ people { id fullName age } }",
    target: "",
  },
  {
    name: "by id among 10",
    size: { people: 10 },
    query: BY_ID,
    variables: { id: "7" },
    target: "7 x",
  },
  {
    name: "by id among 10,000",
    size: { people: 10_000 },
    query: BY_ID,
    variables: { id: "5000" },
    target: "50 x",
  },
  {
    name: "100 parents x 10 children",
    size: { authors: 100, postsEach: 10 },
    query: AUTHORS,
    target: "50 x, floor 1.5",
  },
  { name: "`first: 20` of 1,000", size: { people: 1000 }, query: PAGE, target: "50 x" },
  {
    name: "create",
    size: { people: 10 },
    query: `mutation ($input: PersonInput!) { createPerson(input: $input) { id firstName } }`,
    variables: { input: { firstName: "Ola", lastName: "Englund", age: 40 } },
    target: "7 x, floor 2",
  },
];

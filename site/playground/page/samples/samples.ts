// deno-lint-ignore-file trestle/layers -- the schema of the figures is shown, not a copy of it
import { parse, print } from "graphql";
import { strapi } from "../../../../mirage_graphql/bench/reach/families/strapi.ts";
import { HAND_MADE_SCHEMA } from "./hand_made.ts";

/** A schema to begin with. */
export interface Sample {
  readonly name: string;
  /** What is particular about its kind of API. */
  readonly about: string;
  /** An operation that the mock of the schema answers. */
  readonly operation: string;
  /** The schema, in the schema definition language, or the address of its file. */
  readonly source: string | URL;
}

/** Schemas of public projects, for each kind of API that the mock knows, and two of this one. */
export const SAMPLES: readonly Sample[] = [
  {
    name: "Hand-made library",
    about: "types, inputs and subscriptions, without any generator",
    source: HAND_MADE_SCHEMA.trimStart(),
    operation: `query Books {
  books(limit: 3) { id title year genre author { name } reviews { stars } }
}

mutation AddBook {
  createBook(input: { title: "Notes", year: 1843, genre: SCIENCE, authorId: 1 }) {
    id title author { name books { title } }
  }
}

subscription NewBooks {
  bookCreated { id title author { name } }
}`,
  },
  {
    name: "Rick and Morty",
    about: "pages with info and results, and filters by attributes",
    source: new URL("./schemas/rick_and_morty.graphql", import.meta.url),
    operation: `query Characters {
  characters(page: 1) {
    info { count pages next }
    results { id name status species origin { name } episode { name air_date } }
  }
}`,
  },
  {
    name: "Star Wars (Relay)",
    about: "node, global ids, and connections between all types",
    source: new URL("./schemas/swapi.graphql", import.meta.url),
    operation: `query Films {
  allFilms(first: 3) {
    totalCount
    edges { cursor node { id title director planetConnection(first: 2) { planets { name } } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  },
  {
    name: "Newsfeed (Relay)",
    about: "interfaces, a viewer, and a mutation that adds a comment",
    source: new URL("./schemas/relay_newsfeed.graphql", import.meta.url),
    operation: `query Stories {
  topStories { id title category poster { id name } comments(first: 2) { edges { node { text } } } }
}`,
  },
  {
    name: "Hasura",
    about: "tables with boolean expressions, aggregates, and mutations of many rows",
    source: new URL("./schemas/hasura_todo.graphql", import.meta.url),
    operation: `query Todos {
  todos(where: {title: {_is_null: false}}, order_by: [{title: asc}], limit: 5) {
    id title is_completed user { name }
  }
  todos_aggregate { aggregate { count } }
}`,
  },
  {
    name: "Prisma (TypeGraphQL)",
    about: "where, orderBy, take and skip; createOne, updateOne, deleteMany",
    source: new URL("./schemas/typegraphql_prisma.graphql", import.meta.url),
    operation: `query NewestPosts {
  posts(where: {title: {not: {equals: ""}}}, orderBy: [{title: desc}], take: 3) {
    id title createdAt author { email }
  }
}`,
  },
  {
    name: "Keystone",
    about: "lists with filters and counts, and relations written with connect and create",
    source: new URL("./schemas/keystone_blog.graphql", import.meta.url),
    operation: `query TaggedPosts {
  posts(where: {title: {contains: ""}}, orderBy: [{title: asc}], take: 3) {
    id title author { name } tags { name }
  }
  postsCount
}`,
  },
  {
    name: "PostGraphile",
    about: "connections with conditions and orders, and one payload for each mutation",
    source: new URL("./schemas/postgraphile_starter.graphql", import.meta.url),
    operation: `query Organizations {
  organizations(first: 3, orderBy: [SLUG_DESC]) {
    nodes { id name slug organizationMemberships(first: 2) { nodes { user { username } } } }
    totalCount
  }
}`,
  },
  {
    name: "pg_graphql (Supabase)",
    about: "collections of tables, and writes that return the rows they changed",
    source: new URL("./schemas/pg_graphql_demo.graphql", import.meta.url),
    operation: `query Blogs {
  blogCollection(first: 3, orderBy: [{name: AscNullsLast}]) {
    edges { node { id name owner { email } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  },
  {
    name: "AWS Amplify",
    about: "get and list with nextToken, and filters with eq, contains and between",
    source: new URL("./schemas/amplify_blog.graphql", import.meta.url),
    operation: `query ListedPosts {
  listPosts(filter: {title: {ne: ""}}, limit: 3) {
    items { id title blog { name } comments { items { content } } }
    nextToken
  }
}`,
  },
  {
    name: "Strapi-like restaurants",
    about: "collections with pages, and records as data",
    source: `${print(parse(strapi.schema))}\n`,
    operation: `query Restaurants {
  restaurants(sort: ["name:asc"], pagination: {page: 1, pageSize: 3}) { documentId name stars }
}`,
  },
  {
    name: "Linear, 1.2 MB",
    about: "a whole API: 250 tables, filters, and payloads with success",
    source: new URL("./schemas/linear.graphql", import.meta.url),
    operation: `query Issues {
  issues(first: 3, filter: {title: {neq: ""}}) {
    nodes { id title priority assignee { name } labels(first: 2) { nodes { name } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  },
];

/** Address of the list of the projects that the schemas are from, with their licences. */
export const NOTICE_URL: URL = new URL("./schemas/NOTICE.txt", import.meta.url);

const loaded = new Map<Sample, Promise<string>>();

/**
 * The schema of a sample, which is fetched once; it is there offline too, once the page is.
 *
 * @throws {TypeError} If its file can't be fetched.
 */
export function loadSchema(sample: Sample): Promise<string> {
  const known = loaded.get(sample) ?? read(sample);
  loaded.set(sample, known);
  // the next try may have a network
  known.catch(() => loaded.delete(sample));
  return known;
}

async function read({ name, source }: Sample): Promise<string> {
  if (typeof source === "string") return source;
  const response = await fetch(source);
  if (!response.ok) {
    throw new TypeError(`Cannot open "${name}": HTTP ${response.status}`);
  }
  return await response.text();
}

// deno-lint-ignore-file trestle/layers -- the schemas of the figures are shown, not copies of them
import { parse, print } from "graphql";
import { amplify } from "../../../../mirage_graphql/bench/reach/families/amplify.ts";
import { hasura } from "../../../../mirage_graphql/bench/reach/families/hasura.ts";
import { keystone } from "../../../../mirage_graphql/bench/reach/families/keystone.ts";
import { postgraphile } from "../../../../mirage_graphql/bench/reach/families/postgraphile.ts";
import { relay } from "../../../../mirage_graphql/bench/reach/families/relay.ts";
import { shopify } from "../../../../mirage_graphql/bench/reach/families/shopify.ts";
import { strapi } from "../../../../mirage_graphql/bench/reach/families/strapi.ts";
import { HAND_MADE_SCHEMA } from "./hand_made.ts";
import { PG_GRAPHQL_SCHEMA } from "./pg_graphql.ts";
import { PRISMA_SCHEMA } from "./prisma.ts";

/** A schema to begin with. */
export interface Sample {
  readonly name: string;
  /** What is particular about its kind of API. */
  readonly about: string;
  /** The schema, in the schema definition language. */
  readonly schema: string;
  /** An operation that the mock of the schema answers. */
  readonly operation: string;
}

/** One schema for each kind of API that the mock knows, and one written by hand. */
export const SAMPLES: readonly Sample[] = [
  {
    name: "Hand-made library",
    about: "types, inputs and subscriptions, without any generator",
    schema: HAND_MADE_SCHEMA.trimStart(),
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
    name: "Hasura",
    about: "tables with boolean expressions, aggregates, and mutations of many rows",
    schema: tidy(hasura.schema),
    operation: `query Rated {
  articles(where: {rating: {_is_null: false}}, order_by: [{title: asc}], limit: 5) {
    id title rating author { name }
  }
  articles_aggregate { aggregate { count } }
}`,
  },
  {
    name: "Prisma (TypeGraphQL)",
    about: "where, orderBy, take and skip; createOne, updateOne, deleteMany",
    schema: PRISMA_SCHEMA.trimStart(),
    operation: `query Popular {
  posts(where: {views: {gte: 1}}, orderBy: [{views: desc}], take: 3) {
    id title views author { name email }
  }
}`,
  },
  {
    name: "Keystone",
    about: "lists with filters and counts, and relations written with connect and create",
    schema: tidy(keystone.schema),
    operation: `query Posts {
  posts(where: {likes: {gte: 0}}, orderBy: [{title: asc}], take: 3) { id title author { name } }
  postsCount
}`,
  },
  {
    name: "PostGraphile",
    about: "connections with conditions and filters, and one payload for each mutation",
    schema: tidy(postgraphile.schema),
    operation: `query Posts {
  allPosts(orderBy: [TITLE_DESC], first: 3) {
    nodes { id title personByAuthorId { name } }
    totalCount
  }
}`,
  },
  {
    name: "AWS Amplify",
    about: "get and list with nextToken, and filters with eq, contains and between",
    schema: tidy(amplify.schema),
    operation: `query Posts {
  listPosts(limit: 3) {
    items { id title blog { name } }
    nextToken
  }
}`,
  },
  {
    name: "Strapi",
    about: "collections with pages, and records as data",
    schema: tidy(strapi.schema),
    operation: `query Restaurants {
  restaurants(sort: ["name:asc"], pagination: {page: 1, pageSize: 3}) { documentId name stars }
}`,
  },
  {
    name: "pg_graphql (Supabase)",
    about: "collections of tables, and writes that return the rows they changed",
    schema: PG_GRAPHQL_SCHEMA.trimStart(),
    operation: `query Blogs {
  blogCollection(first: 3, orderBy: [{name: AscNullsLast}]) {
    edges { node { id name owner { email } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  },
  {
    name: "Relay",
    about: "node, connections, global ids, and payloads with clientMutationId",
    schema: tidy(relay.schema),
    operation: `query Todos {
  todos(first: 3) {
    edges { cursor node { id text complete owner { name } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  },
  {
    name: "Shopify-like shop",
    about: "handles, nested connections, money, and a cart",
    schema: tidy(shopify.schema),
    operation: `query Products {
  products(first: 3, sortKey: TITLE) {
    edges { cursor node { id title handle } }
    pageInfo { hasNextPage }
  }
}`,
  },
];

/** One definition after the other, as a formatter leaves them. */
function tidy(schema: string): string {
  return `${print(parse(schema))}\n`;
}

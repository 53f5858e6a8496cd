import {
  createGraphQLSubscriptions,
  type ResultStream,
  type SubscriptionsOptions,
} from "../mod.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { createSeedServer } from "./seed_server.ts";

/** A schema whose subscriptions have names and types of all kinds. */
export const graphQLSchema = `
  enum Mood { GLAD SAD }
  interface Node { id: ID! }
  type Person implements Node { id: ID!, name: String!, mood: Mood, posts: [Post!]! }
  type Post implements Node { id: ID!, title: String, author: Person }
  type HTTPLog { id: ID!, line: String }
  type PersonPayload { person: Person }
  type Tally { count: Int }
  type Query { people: [Person!]!, posts: [Post!]!, logs: [HTTPLog!]! }
  type Subscription {
    personCreated(name: String, mood: Mood): Person
    personUpdated(id: ID): Person!
    personDeleted: ID
    onPersonDeleted: Person
    postAdded(authorId: ID, author: ID): Post
    on_post_changed: Post
    removedPost(id: ID!): Post
    onCreatePerson: PersonPayload!
    httpLogCreated: HTTPLog
    nodeCreated: Node
    onCreateNode(id: [ID!]): Node
    personAdded(minimum: Int): Person
    ticks: Int
    tally: Tally
    people: [Person!]
    spoken(word: String): Person
    shouted: String
  }
`;

/** A real Mirage server with subscriptions, and the tracking of its writes. */
export function startSubscriptions(options: SubscriptionsOptions = {}) {
  const server = createSeedServer();
  const { subscribe } = createGraphQLSubscriptions(graphQLSchema, server.schema, options);
  const tables = trackWrites(parseMockSchema(server.schema).db);
  return {
    server,
    schema: server.schema,
    tables,
    subscribe: (query: string, variables?: Record<string, unknown>, signal?: AbortSignal) =>
      subscribe({ query: `subscription ${query}`, variables }, { signal }),
  };
}

/** Resolves when the microtask queue is empty. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Returns all results so far, and ends the subscription. */
export async function resultsOf(stream: ResultStream): Promise<unknown[]> {
  const results: unknown[] = [];
  const reading = (async () => {
    for await (const { data, errors } of stream) {
      results.push(errors === undefined ? data : errors.map(({ message }) => message));
    }
  })();
  await settled();
  await stream.return();
  await reading;
  return JSON.parse(JSON.stringify(results));
}

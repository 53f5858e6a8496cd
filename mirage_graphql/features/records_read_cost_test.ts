import { ok, strictEqual } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";
import { countReads, type ReadCount } from "../testing/count_reads.ts";

const PAGE_INFO =
  "type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }";

const SCHEMA = `
  ${PAGE_INFO}
  type PostEdge { cursor: String! node: Post! }
  type PostConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
  type PersonEdge { cursor: String! node: Person! }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! totalCount: Int! }
  interface Named { name: String }
  type Person implements Named { id: ID! name: String posts(title: String, hidden: Int): [Post!]! friends(first: Int): FriendConnection! touch: Boolean favorite: Named }
  type FriendEdge { node: Friend! cursor: String! }
  type FriendConnection { edges: [FriendEdge!]! pageInfo: PageInfo! }
  type Friend implements Named { id: ID! name: String }
  type Post { id: ID! title: String author: Person! }
  type Query {
    people(name: String, id: [ID!]): [Person!]!
    person(id: ID): Person
    named: [Named!]!
    page(first: Int, after: String, last: Int): PersonConnection!
    posts(author: ID): [Post!]!
  }
`;

/**
 * A number of people with five posts and two friends each; the last post has a hidden attribute.
 */
function tables(people: number) {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
  return {
    people: ids(people).map((id, index) => ({
      id,
      name: `Person ${id}`,
      postIds: [1, 2, 3, 4, 5].map((each) => String(index * 5 + each)),
      friendIds: [String(index + 1), "1"],
      favoriteId: { type: "friend", id },
    })),
    posts: ids(people * 5).map((id, index) => ({
      id,
      title: `Post ${id}`,
      authorId: String(Math.floor(index / 5) + 1),
      ...index === people * 5 - 1 ? { hidden: 1 } : {},
    })),
    friends: ids(people).map((id) => ({ id, name: `Friend ${id}` })),
  };
}

function mock(people: number) {
  return createMockServer(SCHEMA, {
    data: tables(people),
    resolvers: {
      Person: {
        touch: ({ id }, _args, { mockSchema }) => {
          mockSchema.db.people.update(id, { touched: true });
          return true;
        },
      },
    },
  });
}

async function readsOf(people: number, query: string): Promise<ReadCount> {
  const { server, data } = mock(people);
  const count = countReads(server);
  await data(query);
  return count;
}

const QUERIES = [
  "{ people { id name } }",
  `{ people(name: "Person 7") { id } }`,
  "{ people(id: [1, 2, 3]) { id } }",
  "{ person(id: 7) { id name } }",
  "{ named { __typename name } }",
  "{ people { posts { title author { name posts { title } } } } }",
  `{ people { posts(title: "Post 3") { title } } }`,
  "{ people { posts(hidden: 1) { title } } }",
  "{ people { favorite { name } friends(first: 1) { edges { cursor node { name } } pageInfo { hasNextPage } } } }",
  "{ page(first: 20) { edges { cursor node { name posts { title } } } totalCount } }",
  "{ page(last: 20) { edges { node { name } } pageInfo { startCursor } } }",
  "{ posts(author: 3) { title author { name } } }",
];

for (const query of QUERIES) {
  Deno.test(`ten times the records are at most ten times the reads: ${query}`, async () => {
    const [few, many] = [await readsOf(20, query), await readsOf(200, query)];
    ok(many.records <= few.records * 10, `${few.records} -> ${many.records} records`);
    strictEqual(many.models, 0, "automatic resolution creates no Mirage models");
  });

  Deno.test(`each table is searched a few times at most: ${query}`, async () => {
    const { server, data } = mock(100);
    const count = countReads(server);
    await data(query);
    // eight single lookups precede the index of a table, and each counts the whole table
    ok(count.records <= 10 * (100 + 500 + 100), `${count.records} records`);
    count.records = 0;
    await data(query);
    ok(count.records <= 8 * (100 + 500 + 100), `again ${count.records} records`);
  });
}

Deno.test("a page copies only the records of its own nodes", async () => {
  const { server, data } = mock(1000);
  await data("{ page(first: 1) { totalCount } }");
  const count = countReads(server);
  await data("{ page(first: 20) { edges { cursor node { name } } totalCount } }");
  strictEqual(count.records, 0);
});

Deno.test("writes between reads don't make the reads quadratic", async () => {
  const query = "{ people { touch posts { title author { name } } } }";
  const [few, many] = [await readsOf(20, query), await readsOf(200, query)];
  // each `db.people` of the test is a copy of the whole table, made by Mirage itself
  const ours = (count: ReadCount, people: number) => count.records - people * people;
  ok(ours(many, 200) <= ours(few, 20) * 10, `${few.records} -> ${many.records} records`);
});

Deno.test("getters of model classes are not quadratic", async () => {
  class Person extends ModelClass {
    get shout() {
      return `${this.name}!`;
    }
  }
  Object.assign(Person.prototype, {
    posts: hasMany("post", { inverse: "author" }),
    friends: hasMany("friend", { inverse: null }),
    favorite: belongsTo({ inverse: null, polymorphic: true }),
  });
  const post = Model.extend({ author: belongsTo("person", { inverse: "posts" }) });
  const records: number[] = [];
  for (const people of [20, 200]) {
    const { server, data } = createMockServer(`${SCHEMA} extend type Person { shout: String }`, {
      models: { person: Person, post },
      data: tables(people),
    });
    const count = countReads(server);
    const answer = await data("{ people { name shout posts { author { shout } } } }");
    strictEqual(answer.people[1].posts[0].author.shout, "Person 2!");
    records.push(count.records);
  }
  const [few = 0, many = 0] = records;
  ok(many <= few * 10, `${few} -> ${many} records`);
});

Deno.test("relations that custom resolvers read from their obj are not quadratic", async () => {
  const records: number[] = [];
  for (const people of [20, 200]) {
    const { server, data } = createMockServer(SCHEMA, {
      data: tables(people),
      resolvers: {
        Person: {
          touch: ({ ...obj }: { posts: { length: number }; favorite: { name: string } }) =>
            obj.posts.length === 5 && obj.favorite.name.startsWith("Friend"),
        },
      },
    });
    const count = countReads(server);
    const answer = await data("{ people { touch } }");
    strictEqual(answer.people[people - 1].touch, true);
    records.push(count.records);
  }
  const [few = 0, many = 0] = records;
  ok(many <= few * 10, `${few} -> ${many} records`);
});

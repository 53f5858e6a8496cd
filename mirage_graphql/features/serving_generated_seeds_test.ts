import { deepStrictEqual, match, notDeepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createFetchHandler } from "../mod.ts";
import { createOrm } from "../orm/orm.ts";
import { toExecutableSchema } from "../schema/executable_schema.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { generateTables } from "../seeding/generate_tables.ts";
import { insertTables } from "../serving/insert_seeds.ts";

const graphQLSchema = `
  enum Role { ADMIN GUEST }
  scalar DateTime
  scalar Date
  scalar JSON
  interface Node { id: ID! }
  union Topic = User | Post
  type Geo { latitude: Float!, longitude: Float!, inner: Geo }
  type Address { street: String!, city: String!, zip: String!, geo: Geo! }
  type User implements Node {
    id: ID!, name: String!, firstName: String!, email: String!, age: Int!, role: Role!
    roles: [Role!]!, createdAt: DateTime!, birthday: Date!, active: Boolean!, address: Address!
    settings: JSON!, tags: [String!]!, matrix: [[Int!]!]!, posts: [Post!]!
    manager: User, reports: [User!]!, profile: Profile!, mentor: Mentor!
  }
  type Mentor { id: ID!, boss: Mentor! }
  type Profile { id: ID!, bio: String!, avatarUrl: String!, website: String!, user: User! }
  type Post implements Node {
    id: ID!, title: String!, body: String!, price: Float!, author: User!, labels: [Label!]!
    about: Topic!, related: [Node!]!
  }
  type Label { id: ID!, name: String!, posts: [Post!]! }
  type Query { users: [User!]!, posts: [Post!]!, labels: [Label!]!, profiles: [Profile!]! }
`;

const everything = `{
  users {
    id name firstName email age role roles createdAt birthday active settings tags matrix
    address { street city zip geo { latitude longitude inner { latitude } } }
    posts { id } manager { id } reports { id } profile { id user { id } }
    mentor { id boss { id } }
  }
  posts {
    id title body price author { id } labels { id name }
    about { ... on User { name } ... on Post { title } } related { __typename id }
  }
  labels { name posts { id } }
  profiles { bio avatarUrl website user { id } }
}`;

interface User {
  readonly id: string;
  readonly name: string;
  readonly firstName: string;
  readonly email: string;
  readonly age: number;
  readonly createdAt: string;
  readonly birthday: string;
  readonly posts: readonly unknown[];
  readonly manager: { readonly id: string } | null;
  readonly reports: readonly unknown[];
  readonly profile: { readonly user: { readonly id: string } };
}

/** All generated values, as returned by the mock; an error of any field throws. */
async function generated(
  schema = graphQLSchema,
): Promise<{ users: User[]; labels: { name: string }[] }> {
  const server = createSeedServer();
  const orm = createOrm(toExecutableSchema(schema), server.schema);
  insertTables(orm, generateTables(orm));
  const data = await createFetchHandler(schema, server.schema).query(everything);
  return JSON.parse(JSON.stringify(data));
}

Deno.test("generateTables() fills every field with a value of its type", async () => {
  const { users, labels } = await generated();
  strictEqual(users.length, 5);
  ok(users.some(({ posts }) => posts.length > 0));
  ok(users.some(({ reports }) => reports.length > 0));
  ok(users.every(({ id, manager }) => manager === null || Number(manager.id) < Number(id)));
  deepStrictEqual(users.map(({ id, profile }) => profile.user.id === id), Array(5).fill(true));
  strictEqual(new Set(labels.map(({ name }) => name)).size, 5);
});

Deno.test("generateTables() generates values that look like what their names say", async () => {
  for (const user of (await generated()).users) {
    match(user.name, /^[A-Z][a-z]+ [A-Z][a-z]+$/);
    ok(user.name.startsWith(`${user.firstName} `));
    strictEqual(user.email, `${user.name.toLowerCase().replace(" ", ".")}@example.com`);
    ok(user.age >= 18 && user.age <= 80);
    strictEqual(new Date(user.createdAt).toISOString(), user.createdAt);
    match(user.birthday, /^\d{4}-\d\d-\d\d$/);
  }
});

Deno.test("generateTables() generates the same values each time, and different ones for other records", async () => {
  const [first, second] = [await generated(), await generated()];
  deepStrictEqual(first, second);
  const [ada, eve] = first.users;
  notDeepStrictEqual(ada?.name, eve?.name);
});

Deno.test("generateTables() keeps the values of a type when another type is added", async () => {
  const { users } = await generated();
  const more = await generated(`type Aaa { id: ID!, name: String } ${graphQLSchema}`);
  deepStrictEqual(more.users, users);
});

Deno.test("generateTables() links one-to-one pairs of several types consistently", async () => {
  const schema = `
    interface Owned { id: ID! }
    type Vault { id: ID!, content: Owned! }
    type Ring implements Owned { id: ID!, box: Vault }
    type Coin implements Owned { id: ID!, box: Vault }
    type Query { boxes: [Vault!]!, rings: [Ring!]! }
  `;
  const server = createSeedServer();
  const orm = createOrm(toExecutableSchema(schema), server.schema);
  insertTables(orm, generateTables(orm));
  const { query } = createFetchHandler(schema, server.schema);
  const { boxes } = await query(
    "{ boxes { id content { ... on Ring { box { id } } ... on Coin { box { id } } } } }",
  ) as { boxes: { id: string; content: { box: { id: string } } }[] };
  deepStrictEqual(boxes.map(({ content }) => content.box.id), boxes.map(({ id }) => id));
});

const COMPANY = `
  scalar DateTime
  scalar URL
  type Employee {
    id: ID!, name: String!, jobTitle: String!, age: Int!, birthday: DateTime!, avatar: URL!
    city: String!, country: String!, address: Address!, createdAt: DateTime!, updatedAt: DateTime!
  }
  type Address { city: String!, country: String!, timeZone: String!, latitude: Float! }
  type Product { id: ID!, name: String!, description: String!, imageUrl: String!, price: Float! }
  type Booking { id: ID!, start: DateTime!, end: DateTime!, dueAt: DateTime! }
  type Query { employees: [Employee!]!, products: [Product!]!, bookings: [Booking!]! }
`;

interface Company {
  readonly employees: readonly {
    readonly age: number;
    readonly birthday: string;
    readonly avatar: string;
    readonly city: string;
    readonly country: string;
    readonly address: { readonly city: string; readonly country: string };
    readonly createdAt: string;
    readonly updatedAt: string;
  }[];
  readonly products: readonly {
    readonly name: string;
    readonly description: string;
    readonly imageUrl: string;
    readonly price: number;
  }[];
  readonly bookings: readonly {
    readonly start: string;
    readonly end: string;
    readonly dueAt: string;
  }[];
}

async function company(query: string): Promise<Company> {
  const server = createSeedServer();
  const orm = createOrm(toExecutableSchema(COMPANY), server.schema);
  insertTables(orm, generateTables(orm));
  const data = await createFetchHandler(COMPANY, server.schema).query(query);
  return JSON.parse(JSON.stringify(data));
}

Deno.test("generateTables() generates a list of record ids if the field is a list", () => {
  const schema = toExecutableSchema(`
    type Mission { id: ID! name: String }
    type Launch { id: ID! mission_id: [String] missionID: String }
    type Query { missions: [Mission] launches: [Launch] }
  `);
  const { launches } = generateTables(createOrm(schema, createSeedServer().schema), { count: 1 });
  deepStrictEqual(launches, [{ id: "1", mission_id: ["1"], missionID: "1" }]);
});

Deno.test("generateTables() generates consistent values of one record", async () => {
  const { employees, bookings } = await company(`{
    employees { age birthday city country address { city country } createdAt updatedAt }
    bookings { start end dueAt }
  }`);
  const cities = new Map(employees.map(({ city, country }) => [city, country]));
  strictEqual(cities.size, 5);
  for (const { age, birthday, city, country, address, createdAt, updatedAt } of employees) {
    deepStrictEqual(address, { city, country });
    ok(createdAt < updatedAt, `${createdAt} < ${updatedAt}`);
    strictEqual(Math.floor((Date.UTC(2025, 0, 1) - Date.parse(birthday)) / 31_556_952_000), age);
  }
  for (const { start, end, dueAt } of bookings) ok(start < end && end < dueAt);
});

Deno.test("generateTables() generates images that load nothing from the network", async () => {
  const { employees, products } = await company(
    "{ employees { avatar } products { name description imageUrl } }",
  );
  for (const url of [...employees.map((one) => one.avatar), ...products.map((p) => p.imageUrl)]) {
    match(decodeURIComponent(url), /^data:image\/svg\+xml,<svg [\s\S]*<\/svg>$/);
  }
  for (const { name, description } of products) ok(description.includes(name), description);
});

Deno.test("generateTables() generates the values of its library's version", async () => {
  const { employees: [first], products: [product] } = await company(
    "{ employees { name jobTitle city country address { timeZone } } products { name price } }",
  );
  deepStrictEqual([first, product], [
    {
      name: "Orie Rohan",
      jobTitle: "National Usability Facilitator",
      city: "Ghent",
      country: "Belgium",
      address: { timeZone: "Europe/Brussels" },
    },
    { name: "Sleek Wooden Pizza", price: 383.57 },
  ]);
});

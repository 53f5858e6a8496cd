import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

/** In the style of PostGraphile (an object in the input), Prisma (connect) and plain schemas. */
const SCHEMA = `
  scalar JSON
  type Query { people: [Person!]! posts: [Post!]! }
  type Person { id: ID! name: String address: Address posts: [Post!] meta: JSON tags: [String!] }
  type Address { city: String geo: Geo }
  type Geo { lat: Float }
  type Post { id: ID! title: String author: Person }
  input GeoInput { lat: Float lng: Float }
  input AddressInput { city: String planet: String geo: GeoInput }
  input RelationInput { connect: IdInput create: NewPersonInput id: ID name: String }
  input IdInput { id: ID! }
  input SetInput { set: [String!] }
  input NewPersonInput { id: ID name: String password: String }
  input PersonInput {
    id: ID name: String password: String address: AddressInput meta: JSON tags: SetInput pet: IdInput
  }
  input CreatePersonInput { clientMutationId: String person: PersonInput! }
  input PatchPersonInput { clientMutationId: String personId: Int! patch: PersonInput! }
  input DeletePersonInput { clientMutationId: String where: IdInput }
  input PostInput { title: String author: RelationInput authors: [NewPersonInput!] }
  type PersonPayload { clientMutationId: String person: Person }
  type Mutation {
    createPerson(input: CreatePersonInput!): PersonPayload
    updatePerson(input: PatchPersonInput!): PersonPayload
    renamePerson(id: ID!, input: CreatePersonInput!): Person
    deletePerson(input: DeletePersonInput!): PersonPayload
    removePerson(where: IdInput!): Person
    addPerson(data: PersonInput!): Person
    createPost(data: PostInput!): Post
  }
`;

const DATA = { people: [{ id: "1", name: "Ada" }] };

Deno.test("an input of one object is unwrapped, in creations and updates", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  deepStrictEqual(
    await data(`mutation {
      createPerson(input: { clientMutationId: "c", person: { name: "Bea" } }) {
        clientMutationId person { id name }
      }
      updatePerson(input: { personId: 1, patch: { name: "Eve" } }) { person { id name } }
      renamePerson(id: 2, input: { person: { name: "Cy" } }) { id name }
    }`),
    {
      createPerson: { clientMutationId: "c", person: { id: "2", name: "Bea" } },
      updatePerson: { person: { id: "1", name: "Eve" } },
      renamePerson: { id: "2", name: "Cy" },
    },
  );
});

for (
  const call of [
    "deletePerson(input: { where: { id: 1 } }) { clientMutationId }",
    "removePerson(where: { id: 1 }) { id }",
  ]
) {
  Deno.test(`${call} deletes the record whose id is in the object`, async () => {
    const { data, dump } = createMockServer(SCHEMA, { data: DATA });
    await data(`mutation { ${call} }`);
    deepStrictEqual(dump().people, []);
  });
}

Deno.test("values of the types, and plain values at the top level, are stored", async () => {
  const { data, dump } = createMockServer(SCHEMA);
  const input = {
    name: "Ada",
    password: "x",
    address: { city: "Rome", geo: { lat: 1 } },
    meta: { any: { thing: [1] } },
  };
  await data(`mutation M($input: PersonInput!) { addPerson(data: $input) { id } }`, { input });
  deepStrictEqual(dump().people, [{ id: "1", ...input, postIds: null }]);
});

Deno.test("nested records are created and linked as before", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  deepStrictEqual(
    await data(`mutation {
      a: createPost(data: { title: "A", author: { name: "Bea" } }) { author { id name } }
      b: createPost(data: { title: "B", author: { id: 1 } }) { author { id name } }
    }`),
    { a: { author: { id: "2", name: "Bea" } }, b: { author: { id: "1", name: "Ada" } } },
  );
});

const REFUSED: readonly (readonly [call: string, message: string])[] = [
  [
    "createPost(data: { author: { connect: { id: 1 } } }) { id }",
    'can\'t write "author.connect": Person has no such field',
  ],
  [
    'createPost(data: { author: { create: { name: "B" } } }) { id }',
    'can\'t write "author.create": Person has no such field',
  ],
  [
    'createPost(data: { authors: [{ name: "B" }] }) { id }',
    'can\'t write "authors": Post has no such field',
  ],
  ["addPerson(data: { pet: { id: 1 } }) { id }", 'can\'t write "pet": Person has no such field'],
  [
    'addPerson(data: { address: { planet: "Mars" } }) { id }',
    'can\'t write "address.planet": Address has no such field',
  ],
  [
    "addPerson(data: { address: { geo: { lng: 1 } } }) { id }",
    'can\'t write "address.geo.lng": Geo has no such field',
  ],
  [
    'addPerson(data: { tags: { set: ["a"] } }) { id }',
    'can\'t write "tags": it is an object, and Person.tags is [String!]',
  ],
  [
    "renamePerson(id: 1, input: { person: { pet: { id: 1 } } }) { id }",
    'can\'t write "pet": Person has no such field',
  ],
];

for (const [call, message] of REFUSED) {
  Deno.test(`${call} is rejected, and nothing is stored`, async () => {
    const { errors, dump } = createMockServer(SCHEMA, { data: DATA });
    const before = dump();
    const name = call.split("(")[0];
    deepStrictEqual(await errors(`mutation { ${call} }`), [
      `Could not find a default resolver for ${name}. Please supply a resolver for this mutation. ` +
      `It ${message}. Write resolvers: { Mutation: { ${name}(obj, args, context, info) { ... } } }`,
    ]);
    deepStrictEqual(dump(), before);
  });
}

import { deepStrictEqual } from "node:assert/strict";
import { createMutationServer, messagesOf } from "../testing/mutation_server.ts";

const PAYLOADS = `
  type Query { people: [Person] }
  type Person { id: ID! name: String friends: [Person!] }
  type Problem { message: String }
  type CreatePersonPayload {
    clientMutationId: String query: Query person: Person userErrors: [Problem!]! note: String errors: [Problem!]
  }
  type UpdatePersonPayload { deletedId: ID person: Person! clientMutationId: String }
  type DeletePersonPayload { person: Person deletedPersonId: ID deletedId: ID! clientMutationId: String otherId: ID }
  type PairPayload { one: Person two: Person }
  type ListPayload { people: [Person] }
  input PersonInput { name: String clientMutationId: String friendIds: [ID!] }
  type Mutation {
    createPerson(input: PersonInput!): CreatePersonPayload
    updatePerson(id: ID!, input: PersonInput!): UpdatePersonPayload!
    deletePerson(id: ID!): DeletePersonPayload
    createPair(input: PersonInput!): PairPayload
    createList(input: PersonInput!): ListPayload
  }
`;

Deno.test("payloads contain the record, and what there is to report about the mutation", async () => {
  using server = createMutationServer(PAYLOADS);
  server.seed("person", { name: "Ada" });
  const result = await server.run(`mutation {
    createPerson(input: { name: "Bob", clientMutationId: "c1", friendIds: [1] }) {
      clientMutationId person { __typename id friends { name } } userErrors { message } note errors { message }
    }
    updatePerson(id: 2, input: { name: "B", clientMutationId: "c2" }) {
      clientMutationId person { name } deletedId
    }
    deletePerson(id: 2) {
      person { name } deletedPersonId deletedId clientMutationId otherId
    }
  }`);
  deepStrictEqual(JSON.parse(JSON.stringify(result)), {
    data: {
      createPerson: {
        clientMutationId: "c1",
        person: { __typename: "Person", id: "2", friends: [{ name: "Ada" }] },
        userErrors: [],
        note: null,
        errors: null,
      },
      updatePerson: { clientMutationId: "c2", person: { name: "B" }, deletedId: null },
      deletePerson: {
        person: { name: "B" },
        deletedPersonId: "2",
        deletedId: "2",
        clientMutationId: null,
        otherId: null,
      },
    },
  });
});

Deno.test("clientMutationId is not stored", async () => {
  using server = createMutationServer(PAYLOADS);
  await server.run(`mutation { createPerson(input: { clientMutationId: "c" }) { note } }`);
  deepStrictEqual(server.table("people"), [{ id: "1", friendIds: null }]);
});

Deno.test("a payload of several records, or of a list, has no default", async () => {
  using server = createMutationServer(PAYLOADS);
  const result = await server.run(`mutation {
    createPair(input: {}) { one { id } }
    createList(input: {}) { people { id } }
  }`);
  const none = (name: string, type: string) =>
    `Could not find a default resolver for ${name}. Please supply a resolver for this mutation. ` +
    `It returns ${type}, which has no model and no single field of a model's type. ` +
    `Write resolvers: { Mutation: { ${name}(obj, args, context, info) { ... } } }`;
  deepStrictEqual(messagesOf(result), [
    none("createPair", "PairPayload"),
    none("createList", "ListPayload"),
  ]);
  deepStrictEqual(server.table("people"), []);
});

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { GraphQLScalarType } from "graphql";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";
import { SCHEMA } from "../testing/planned_data.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";

Deno.test("functions in embedded values are left to graphql-js, which calls each once", async () => {
  const calls: unknown[] = [];
  const address = {
    city(_args: unknown, _context: unknown, info: { path: { key: string } }) {
      calls.push(info.path.key);
      return "London";
    },
  };
  const people = [{ id: "1", address }];
  const { planned } = createPlannedMock(SCHEMA, { data: { people } });
  strictEqual(planned("{ people { address { city } } }"), undefined);
  deepStrictEqual(calls, []);
  const { data } = createMockServer(SCHEMA, { data: { people } });
  deepStrictEqual(await data("{ people { address { town: city } } }"), {
    people: [{ address: { town: "London" } }],
  });
  deepStrictEqual(calls, ["town"]);
});

Deno.test("functions of embedded objects that hold a record's fields are called with info, once", async () => {
  const calls: unknown[] = [];
  const schema = `
    type Query { people: [Person!]! }
    type Person { id: ID! card: Card }
    type Card { owner: Owner posts: [Owner] tag: String! }
    type Owner { label: String! }
  `;
  const note =
    (value: unknown) => (_args: unknown, _context: unknown, info: { path: { key: string } }) => {
      calls.push(info.path.key);
      return value;
    };
  const card = { owner: note({ label: note("A") }), posts: note([{ label: "B" }]), tag: note("C") };
  const { data } = createMockServer(schema, { data: { people: [{ id: "1", card }] } });
  deepStrictEqual(
    await data("{ people { card { a: owner { b: label } c: posts { label } d: tag } } }"),
    {
      people: [{ card: { a: { b: "A" }, c: [{ label: "B" }], d: "C" } }],
    },
  );
  deepStrictEqual(calls, ["a", "b", "c", "d"]);
});

/** Always fails, so that a plan is abandoned after everything else was read. */
const BROKEN = "mood";

const HOST_SCHEMA = `
  scalar Stamp
  enum Mood { HAPPY }
  type Query { people(shout: String): [Person!]! person: Person stamp(at: Stamp): String }
  type Person { id: ID! name: String mood: Mood address: Address home: Address! homes: [Address!] born: Stamp
    can: PersonMutations all: Mutation }
  type Address { city: String zip: String }
  input PersonInput { name: String }
  type PersonMutations { add(input: PersonInput!): Person }
  type Mutation { can: PersonMutations! createPerson(input: PersonInput!): Person }
`;

async function answerOf(person: Record<string, unknown>, fields: string) {
  const { answer } = createMockServer(HOST_SCHEMA, { data: { people: [{ id: "1", ...person }] } });
  return await answer(`{ people { ${fields} ${BROKEN} } }`);
}

Deno.test("mutations that a query can reach are run once", async () => {
  for (const call of ["can { add(input: {}) { id } }", "all { createPerson(input: {}) { id } }"]) {
    const people = [{ id: "1", mood: "BAD", can: {}, all: {} }];
    const { answer, dump } = createMockServer(HOST_SCHEMA, { data: { people } });
    const { errors } = await answer(`{ person { ${call} ${BROKEN} } }`);
    strictEqual(errors.length, 1);
    deepStrictEqual(dump().people?.map(({ id }) => id), ["1", "2"]);
  }
});

Deno.test("a getter that an argument filters by runs once for each record", async () => {
  let calls = 0;
  class Person extends ModelClass {
    get shout() {
      calls++;
      return `${this.name}!`;
    }
  }
  const people = [{ id: "1", name: "Ada", mood: "BAD" }];
  const { errors } = createMockServer(HOST_SCHEMA, {
    models: { person: Person },
    data: { people },
  });
  strictEqual((await errors(`{ people(shout: "Ada!") { mood } }`)).length, 1);
  strictEqual(calls, 1);
});

Deno.test("getters of embedded instances run once", async () => {
  let calls = 0;
  class Address {
    get city() {
      calls++;
      return "London";
    }
  }
  const address = new Address();
  const { data, errors } = await answerOf(
    { address, homes: [address], mood: "BAD" },
    "address { city } homes { city }",
  );
  deepStrictEqual([data.people[0].address.city, errors.length, calls], ["London", 1, 2]);
});

Deno.test("getters of embedded Mirage models run once", async () => {
  let calls = 0;
  class Label extends ModelClass {
    get city() {
      calls++;
      return "London";
    }
  }
  const { server, answer } = createMockServer(HOST_SCHEMA, { models: { label: Label } });
  const address = server.schema.create("label" as never);
  server.db.loadData({ people: [{ id: "1", address, mood: "BAD" }] });
  strictEqual((await answer("{ people { address { city } mood } }")).errors.length, 1);
  strictEqual(calls, 1);
});

Deno.test("an awaitable value is awaited once", async () => {
  let calls = 0;
  class Lazy {
    then(ready: (value: object) => void) {
      calls++;
      ready({ city: "London" });
    }
  }
  const { data } = await answerOf({ address: new Lazy() }, "address { city }");
  deepStrictEqual([data.people[0].address.city, calls], ["London", 1]);
});

Deno.test("only graphql-js handles promises that fail: none is left unhandled", async () => {
  const failing = (value: unknown) => {
    const promise = Promise.reject(new Error("boom"));
    promise.catch(() => {});
    return value === "list" ? [promise] : promise;
  };
  const empty = await answerOf({ home: Promise.resolve(null) }, "home { city }");
  strictEqual(empty.errors[0]?.startsWith("Cannot resolve Person.home: "), true);
  deepStrictEqual((await answerOf({ address: failing("one") }, "address { city }")).errors, [
    "boom",
  ]);
  deepStrictEqual((await answerOf({ homes: failing("list") }, "homes { city }")).errors, ["boom"]);
  deepStrictEqual((await answerOf({ name: failing("one") }, "name")).errors, ["boom"]);
});

Deno.test("a scalar that is serialized asynchronously is left to graphql-js, even if it fails", async () => {
  let isLate = false;
  const Stamp = new GraphQLScalarType({
    name: "Stamp",
    serialize: (value) => isLate ? Promise.reject(new Error("late")) : Promise.resolve(value),
  });
  const people = [{ id: "1", born: 1815 }];
  const { answer } = createMockServer(HOST_SCHEMA, { data: { people }, resolvers: { Stamp } });
  deepStrictEqual((await answer("{ person { born } }")).data, { person: { born: 1815 } });
  isLate = true;
  deepStrictEqual((await answer("{ person { born } }")).errors, ["late"]);
});

Deno.test("a user-defined scalar parses literals and variables once", async () => {
  const calls: unknown[] = [];
  const Stamp = new GraphQLScalarType({
    name: "Stamp",
    parseValue: (value) => (calls.push(value), value),
    parseLiteral: (node) => (calls.push(node.kind), node.kind),
  });
  const resolvers = { Stamp, Query: { stamp: () => "x" } };
  const { data } = createMockServer(HOST_SCHEMA, { resolvers });
  await data("query ($at: Stamp) { stamp(at: $at) }", { at: 1 });
  deepStrictEqual(calls, [1]);
  const { planned } = createPlannedMock(HOST_SCHEMA, { resolvers: { Stamp } });
  const before = calls.length;
  strictEqual(planned("query ($at: Stamp) { stamp(at: $at) }", { at: 2 }), undefined);
  const read = calls.length;
  strictEqual(planned("query ($at: Stamp) { stamp(at: $at) }", { at: 2 }), undefined);
  deepStrictEqual([read, calls.length], [before, before]);
});

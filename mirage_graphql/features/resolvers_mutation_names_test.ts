import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const NAMES = [
  "createPerson",
  "updatePerson",
  "editPerson",
  "modify_person",
  "deletePeople",
  "removePerson",
  "destroy",
  "x",
];

function mockOf(name: string, args: string) {
  return createMockServer(
    `type Query { people: [Person!]! }
     type Person { id: ID! name: String }
     input PersonInput { id: ID name: String }
     type Mutation { ${name}(${args}): Person }`,
    { data: { people: [{ id: "1", name: "Ada" }, { id: "2", name: "Bea" }] } },
  );
}

for (const name of NAMES) {
  Deno.test(`one input object creates, by the name of ${name} too`, async () => {
    const { data, dump } = mockOf(name, "input: PersonInput!");
    const answer = await data(`mutation { ${name}(input: { name: "Cy" }) { id name } }`);
    deepStrictEqual(answer, { [name]: { id: "3", name: "Cy" } });
    deepStrictEqual(dump().people?.map((person) => person.name), ["Ada", "Bea", "Cy"]);
  });

  Deno.test(`one ID and one input object update, by the name of ${name} too`, async () => {
    const { data, dump } = mockOf(name, "with: PersonInput!, key: ID!");
    const answer = await data(`mutation { ${name}(key: 2, with: { name: "Cy" }) { id name } }`);
    deepStrictEqual(answer, { [name]: { id: "2", name: "Cy" } });
    deepStrictEqual(dump().people?.map((person) => person.name), ["Ada", "Cy"]);
  });

  Deno.test(`one ID deletes, by the name of ${name} too`, async () => {
    const { data, dump } = mockOf(name, "key: ID!");
    const answer = await data(`mutation { ${name}(key: 1) { id name } }`);
    deepStrictEqual(answer, { [name]: { id: "1", name: "Ada" } });
    deepStrictEqual(dump().people?.map((person) => person.name), ["Bea"]);
  });
}

Deno.test("an input that holds a taken id creates nothing, and changes nothing", async () => {
  const { errors, dump } = mockOf("updatePerson", "input: PersonInput!");
  const before = dump();
  deepStrictEqual(await errors(`mutation { updatePerson(input: { id: 1, name: "Cy" }) { id } }`), [
    'Cannot create Person "1": a record with this id exists',
  ]);
  deepStrictEqual(dump(), before);
});

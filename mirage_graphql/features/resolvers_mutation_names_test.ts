import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const CREATING = ["createPerson", "addPerson", "modify_person", "x"];
const UPDATING = ["updatePerson", "editPerson", "person_update", "EditPerson", "updateperson"];
const DELETING = ["deletePeople", "removePerson", "destroy", "personDelete", "DELETE_PERSON"];
const CLOSING = ["archivePerson", "closePerson", "person_archive", "close"];

function mockOf(name: string, args: string) {
  return createMockServer(
    `type Query { people: [Person!]! }
     type Person { id: ID! name: String }
     input PersonInput { id: ID name: String }
     type Mutation { ${name}(${args}): Person }`,
    { data: { people: [{ id: "1", name: "Ada" }, { id: "2", name: "Bea" }] } },
  );
}

for (const name of CREATING) {
  Deno.test(`one input object creates a record, with the name ${name}`, async () => {
    const { data, dump } = mockOf(name, "input: PersonInput!");
    const answer = await data(`mutation { ${name}(input: { name: "Cy" }) { id name } }`);
    deepStrictEqual(answer, { [name]: { id: "3", name: "Cy" } });
    deepStrictEqual(dump().people?.map((person) => person.name), ["Ada", "Bea", "Cy"]);
  });
}

for (const name of [...CREATING, ...UPDATING]) {
  Deno.test(`one ID and one input object update a record, with the name ${name}`, async () => {
    const { data, dump } = mockOf(name, "with: PersonInput!, key: ID!");
    const answer = await data(`mutation { ${name}(key: 2, with: { name: "Cy" }) { id name } }`);
    deepStrictEqual(answer, { [name]: { id: "2", name: "Cy" } });
    deepStrictEqual(dump().people?.map((person) => person.name), ["Ada", "Cy"]);
  });
}

for (const name of [...CREATING, ...DELETING]) {
  Deno.test(`one ID deletes a record, with the name ${name}`, async () => {
    const { data, dump } = mockOf(name, "key: ID!");
    const answer = await data(`mutation { ${name}(key: 1) { id name } }`);
    deepStrictEqual(answer, { [name]: { id: "1", name: "Ada" } });
    deepStrictEqual(dump().people?.map((person) => person.name), ["Bea"]);
  });
}

for (const name of UPDATING) {
  Deno.test(`${name} updates the record whose id is in its input`, async () => {
    const { data, dump } = mockOf(name, "input: PersonInput!");
    const answer = await data(`mutation { ${name}(input: { id: 1, name: "Cy" }) { id name } }`);
    deepStrictEqual(answer, { [name]: { id: "1", name: "Cy" } });
    deepStrictEqual(dump().people?.map((person) => person.name), ["Cy", "Bea"]);
  });
}

for (const name of DELETING) {
  Deno.test(`${name} deletes the record whose id is in its input`, async () => {
    const { data, dump } = mockOf(name, "input: PersonInput!");
    const answer = await data(`mutation { ${name}(input: { id: 1, name: "Cy" }) { id name } }`);
    deepStrictEqual(answer, { [name]: { id: "1", name: "Ada" } });
    deepStrictEqual(dump().people?.map((person) => person.name), ["Bea"]);
  });

  Deno.test(`${name} deletes by an ID next to an input object`, async () => {
    const { data, dump } = mockOf(name, "with: PersonInput, key: ID!");
    await data(`mutation { ${name}(key: 1) { id } }`);
    deepStrictEqual(dump().people?.map((person) => person.name), ["Bea"]);
  });
}

async function refusal(name: string, args: string, call: string): Promise<string> {
  const { errors, dump } = mockOf(name, args);
  const before = dump();
  const [message = "", ...more] = await errors(`mutation { ${name}(${call}) { id } }`);
  deepStrictEqual([dump(), more], [before, []]);
  const write = `Write resolvers: { Mutation: { ${name}(obj, args, context, info) { ... } } }`;
  const [start, end] = [`Could not find a default resolver for ${name}. `, `. ${write}`];
  deepStrictEqual([message.startsWith(start), message.endsWith(end)], [true, true], message);
  return message.slice(message.indexOf(" It ") + 4, -end.length);
}

for (const name of [...UPDATING, ...DELETING]) {
  const action = UPDATING.includes(name) ? "update" : "delete";
  Deno.test(`${name} without an id in its input is rejected`, async () => {
    deepStrictEqual(
      await refusal(name, "input: PersonInput!", `input: { name: "Cy" }`),
      `needs the id of the Person to ${action}, and "id" of the argument "input" is null or missing`,
    );
  });
}

for (const name of UPDATING) {
  Deno.test(`${name} with only an ID is rejected`, async () => {
    deepStrictEqual(
      await refusal(name, "key: ID!", "key: 1"),
      'is named after an update, and takes nothing to write but the ID "key"',
    );
  });
}

for (const name of CLOSING) {
  for (
    const [args, call] of [
      ["key: ID!", "key: 1"],
      ["input: PersonInput!", "input: { id: 1 }"],
      ["key: ID!, input: PersonInput!", "key: 1, input: {}"],
    ] as const
  ) {
    Deno.test(`${name}(${args}) is rejected`, async () => {
      deepStrictEqual(
        await refusal(name, args, call),
        "is named after archiving or closing, which only a resolver can define",
      );
    });
  }
}

Deno.test("an input of a creation that contains a taken id creates and changes nothing", async () => {
  const { errors, dump } = mockOf("createPerson", "input: PersonInput!");
  const before = dump();
  deepStrictEqual(await errors(`mutation { createPerson(input: { id: 1, name: "Cy" }) { id } }`), [
    'Cannot create Person "1": a record with this id exists',
  ]);
  deepStrictEqual(dump(), before);
});

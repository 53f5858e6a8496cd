import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { createMock } from "../mod.ts";
import { createFirstRecords } from "./first_records.ts";
import { MockRecords } from "./records.ts";

const SCHEMA = `
  type Team { id: ID! name: String! members: [Person!]! }
  type Person { id: ID! name: String! team: Team }
  type Query { teams: [Team!]! people: [Person!]! }
`;

function createRecords() {
  const mock = createMock(SCHEMA);
  mock.db.loadData({
    teams: [{ id: "1", name: "Harbor", memberIds: ["1"] }],
    people: [{ id: "1", name: "Ada", teamId: "1" }],
  });
  const first = createFirstRecords(mock);
  first.keep();
  const records = new MockRecords(mock.schema, first);
  return { mock, first, records };
}

Deno.test("MockRecords changes both sides of a relation", async () => {
  const { mock, records } = createRecords();
  strictEqual(records.add("people", `{ "name": "Bo", "teamId": "1" }`), "2");
  records.change("people", "1", `{ "id": "1", "name": "Ada", "teamId": null }`);
  const { teams } = await mock.query("{ teams { members { name } } }");
  deepStrictEqual(teams, [{ members: [{ name: "Bo" }] }]);
  records.remove("people", "2");
  deepStrictEqual(records.of("teams"), [{ id: "1", name: "Harbor", memberIds: [] }]);
});

Deno.test("MockRecords returns to the first records, and exports them as seeds", () => {
  const { first, records } = createRecords();
  const seeds = records.seeds();
  records.change("people", "1", `{ "name": "Eve", "teamId": "1" }`);
  records.add("teams", `{ "name": "Deck" }`);
  first.keep();
  records.reset();
  strictEqual(records.seeds(), seeds);
  strictEqual(records.add("teams", "{}"), "2");
  const copy = createMock(SCHEMA);
  copy.db.loadData(JSON.parse(seeds));
  deepStrictEqual(new MockRecords(copy.schema, first).of("people"), [{
    id: "1",
    name: "Ada",
    teamId: "1",
  }]);
});

Deno.test("MockRecords sets to null what a record lacks, and has no values in a template", () => {
  const { records } = createRecords();
  records.change("people", "1", `{ "age": 3 }`);
  deepStrictEqual(records.of("people"), [{ id: "1", name: null, teamId: null, age: 3 }]);
  deepStrictEqual(JSON.parse(records.template("people")), { name: null, teamId: null, age: 0 });
});

const REFUSED: readonly (readonly [text: string, message: RegExp])[] = [
  ["[]", /^TypeError: Cannot read the record: it must be a JSON object$/],
  ["{", /^TypeError: Cannot read the record as JSON: /],
  [`{ "id": "9" }`, /^RangeError: Cannot change the id "1": /],
  [`{ "id": ["1"] }`, /^TypeError: Cannot use the id "\["1"\]": it must be a text or a number$/],
  [`{ "attrs": ["9"] }`, /^RangeError: Cannot use the attribute "attrs": /],
  [`{ "teamId": "9" }`, /Couldn't find|doesn't exist|9/],
];

for (const [text, message] of REFUSED) {
  Deno.test(`MockRecords refuses to change a record to ${text}`, () => {
    const { records } = createRecords();
    const before = records.seeds();
    throws(() => records.change("people", "1", text), message);
    strictEqual(records.seeds(), before);
  });
}

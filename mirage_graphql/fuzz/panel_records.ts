import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { createMock } from "../mod.ts";
import { createFirstRecords } from "../panel/first_records.ts";
import { DOCKS, parsePlace } from "../panel/place.ts";
import { MockRecords } from "../panel/records.ts";

/** What the user of a panel does, or what the browser has kept of it. */
type Step =
  | { readonly does: "add"; readonly table: string; readonly text: string }
  | { readonly does: "change"; readonly table: string; readonly id: string; readonly text: string }
  | { readonly does: "remove"; readonly table: string; readonly id: string }
  | { readonly does: "reset" }
  | { readonly does: "place"; readonly text: string | null };

const SCHEMA = `
  type Team { id: ID! name: String! members: [Person!]! }
  type Person { id: ID! name: String! team: Team }
  type Query { teams: [Team!]! people: [Person!]! }
`;

const TABLE = fc.constantFrom("teams", "people", "people", "none", "", "__proto__");
const ID = fc.oneof(fc.constantFrom("1", "2", "x", "", "__proto__", "constructor"), fc.string());
const VALUE = fc.oneof(
  fc.constantFrom<unknown>("1", "2", null, ["1"], ["1", "1"], ["9"], 1, {}, "Ada"),
  fc.jsonValue({ maxDepth: 2 }),
);
const RECORD = fc.dictionary(
  fc.constantFrom("id", "name", "teamId", "memberIds", "team", "members", "__proto__", "attrs"),
  VALUE,
  { maxKeys: 3 },
).map((record) => JSON.stringify(record));
const TEXT = fc.oneof({ weight: 4, arbitrary: RECORD }, edited(RECORD), fc.json(), fc.string());
const PLACE = fc.dictionary(
  fc.constantFrom("isOpen", "dock", "tab", "size", "x", "y", "__proto__"),
  fc.oneof(fc.constantFrom<unknown>("right", "float", 0, 1e300, -1, true), fc.jsonValue()),
).map((place) => JSON.stringify(place));
const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant("add" as const), table: TABLE, text: TEXT }),
  fc.record({ does: fc.constant("change" as const), table: TABLE, id: ID, text: TEXT }),
  fc.record({ does: fc.constant("remove" as const), table: TABLE, id: ID }),
  fc.constant({ does: "reset" as const }),
  fc.record({
    does: fc.constant("place" as const),
    text: fc.oneof(PLACE, edited(PLACE), fc.json(), fc.constant(null)),
  }),
);

/** What a panel reads: records that the user edits, and the place that the browser has kept. */
export const panelRecords: Surface = defineSurface<readonly Step[]>({
  name: "graphql-panel",
  share: 0.5,
  open: () =>
    Promise.resolve({
      inputs: fc.array(STEP, { minLength: 1, maxLength: 6 }),
      check: takeSteps,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
});

async function takeSteps(steps: readonly Step[]): Promise<void> {
  const mock = createMock(SCHEMA);
  mock.db.loadData({
    teams: [{ id: "1", name: "Harbor", memberIds: ["1"] }],
    people: [{ id: "1", name: "Ada", teamId: "1" }],
  });
  const first = createFirstRecords(mock);
  first.keep();
  const records = new MockRecords(mock.schema, first);
  const seeds = records.seeds();
  for (const step of steps) takeStep(records, step);
  for (const { name, size } of records.tables) {
    deepStrictEqual(records.of(name).length, size);
    JSON.parse(records.template(name));
  }
  const copy = createMock(SCHEMA);
  copy.db.loadData(JSON.parse(records.seeds()));
  deepStrictEqual(new MockRecords(copy.schema, first).seeds(), records.seeds());
  records.reset();
  deepStrictEqual(records.seeds(), seeds);
  deepStrictEqual(
    await mock.query("{ teams { name members { name } } people { team { name } } }"),
    {
      teams: [{ name: "Harbor", members: [{ name: "Ada" }] }],
      people: [{ team: { name: "Harbor" } }],
    },
  );
}

function takeStep(records: MockRecords, step: Step): void {
  if (step.does === "place") return checkPlace(step.text);
  const before = records.seeds();
  try {
    if (step.does === "add") records.add(step.table, step.text);
    else if (step.does === "change") records.change(step.table, step.id, step.text);
    else if (step.does === "remove") records.remove(step.table, step.id);
    else records.reset();
  } catch (error) {
    ok(error instanceof Error && error.message !== "", `no error: ${error}`);
    // What Mirage refuses, it says in its own words.
    deepStrictEqual(records.seeds(), before);
  }
}

function checkPlace(text: string | null): void {
  const { isOpen, dock, tab, size, x, y } = parsePlace(text);
  deepStrictEqual([typeof isOpen, typeof tab], ["boolean", "string"]);
  ok(DOCKS.includes(dock), dock);
  ok(size >= 0.2 && size <= 0.9 && x >= 0 && x <= 0.9 && y >= 0 && y <= 0.9, `${size} ${x} ${y}`);
}

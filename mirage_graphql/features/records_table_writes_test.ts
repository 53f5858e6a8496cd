import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { createSeedServer } from "../testing/seed_server.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { type TableWrite, trackWrites } from "../orm/records/table_writes.ts";

/** A table of three people, and the writes reported for it. */
function start() {
  const server = createSeedServer();
  const { db } = parseMockSchema(server.schema);
  const { db: tables } = server.schema;
  Reflect.apply(Reflect.get(db, "createCollection"), db, ["people"]);
  const watched = trackWrites(db);
  const people = tables.people!;
  people.insert(["Ada", "Eve", "Max"].map((name) => ({ name })));
  const writes: [TableWrite["kind"], ...unknown[]][] = [];
  const stop = watched.listen(({ kind, records }) => {
    writes.push([kind, ...records.map(({ id }) => id)]);
  });
  return { people, watched, writes, stop, names: () => tables.people!.map(({ name }) => name) };
}

Deno.test("listen() reports the records that each form of a write affects", () => {
  const cases: [string, (table: ReturnType<typeof start>["people"]) => unknown, unknown[]][] = [
    ["insert one", (table) => table.insert({ id: 7 }), [["created", "7"]]],
    ["insert two", (table) => table.insert([{}, {}]), [["created", "4"], ["created", "5"]]],
    ["update all", (table) => table.update({ age: 1 }), [["updated", "1", "2", "3"]]],
    ["update by text", (table) => table.update("2", { age: 1 }), [["updated", "2"]]],
    ["update by number", (table) => table.update(2, { age: 1 }), [["updated", "2"]]],
    ["update by ids", (table) => table.update([1, "3"], { age: 1 }), [["updated", "1", "3"]]],
    ["update by query", (table) => table.update({ name: "Eve" }, { age: 1 }), [["updated", "2"]]],
    ["update nothing", (table) => table.update({ name: "Zoe" }, { age: 1 }), []],
    ["update all by two", (table) => table.update({ age: 1 }, undefined), [
      ["updated", "1", "2", "3"],
    ]],
    ["remove all", (table) => table.remove(), [["deleted", "1", "2", "3"]]],
    ["remove one", (table) => table.remove(2), [["deleted", "2"]]],
    ["remove by ids", (table) => table.remove(["3", 1]), [["deleted", "1", "3"]]],
    ["remove by query", (table) => table.remove({ name: "Max" }), [["deleted", "3"]]],
    ["remove nothing", (table) => table.remove({ name: "Zoe" }), []],
  ];
  for (const [name, write, expected] of cases) {
    const { people, writes } = start();
    write(people);
    deepStrictEqual(writes, expected, name);
  }
});

Deno.test("listen() reports the removed record, although Mirage removes the last one for an unknown id", () => {
  const { people, writes, names } = start();
  people.remove(99);
  deepStrictEqual(names(), ["Ada", "Eve"]);
  deepStrictEqual(writes, [["deleted", "3"]]);
});

Deno.test("listen() reports writes that happened before an error", () => {
  const { people, writes } = start();
  throws(() => people.insert([{ id: 8 }, { id: 8 }]), /already been used/);
  throws(() => people.update(1, { id: 2 }), /Updating the ID/);
  deepStrictEqual(writes, [["created", "8"], ["updated", "1"]]);
});

Deno.test("listen() reports nothing once it is stopped", () => {
  const { people, writes, watched, stop } = start();
  const other = watched.listen(() => {});
  strictEqual(watched.listeners, 2);
  stop();
  stop();
  people.insert({});
  deepStrictEqual(writes, []);
  other();
  strictEqual(watched.listeners, 0);
});

Deno.test("the writing methods return what Mirage's methods return", () => {
  const { people } = start();
  deepStrictEqual(people.insert({ name: "Zoe" }), { name: "Zoe", id: "4" });
  deepStrictEqual(people.insert([{ name: "Kim" }]), [{ name: "Kim", id: "5" }]);
  deepStrictEqual(people.update(5, { name: "Tim" }), { name: "Tim", id: "5" });
  strictEqual(people.remove(5), undefined);
});

Deno.test("members changes when a record is added or removed, and only then", () => {
  const { people, watched } = start();
  const members = () => watched.get("people")?.version;
  const changes = [
    () => people.insert({}),
    () => people.insert([{}]),
    () => people.remove(1),
  ].map((write) => {
    const before = members();
    write();
    return members() !== before;
  });
  const before = members();
  people.update({ age: 1 });
  deepStrictEqual([...changes, members() !== before], [true, true, true, false]);
});

import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { parseConventions } from "../dialects/options.ts";
import { KeptRecords } from "../mock/kept_records.ts";
import { createMock } from "../mod.ts";
import { createQuietServer } from "../orm/mirage/quiet_server.ts";
import { createOrm, type Orm } from "../orm/orm.ts";
import { buildSchema } from "graphql";

const graphQLSchema = `
  type Note { id: ID! name: String! }
  type Query { notes: [Note!]! }
  type Mutation { createNote(name: String!): Note }
`;

Deno.test("persist has no effect outside of pages, and takes two values", async () => {
  sessionStorage.clear();
  const options = { conventions: "common", persist: "session" } as const;
  const mock = createMock(graphQLSchema, undefined, options);
  await mock.query(`mutation { createNote(name: "a") { id } }`);
  deepStrictEqual(await mock.query("{ notes { id name } }"), { notes: [{ id: "1", name: "a" }] });
  mock.reset();
  deepStrictEqual(await mock.query("{ notes { id } }"), { notes: [{ id: "1" }] });
  strictEqual(sessionStorage.length, 0);

  const wrong = JSON.parse(`{ "persist": "cookie" }`);
  throws(() => createMock(graphQLSchema, undefined, wrong), {
    name: "TypeError",
    message: 'Cannot use persist "cookie": it must be "session" or "local"',
  });
  await rejects(mock.query("{ nothing }"));
});

/** The records of a page that was just loaded. */
function load(warnings: string[] = [], key = "mirage-graphql a"): { orm: Orm; kept: KeptRecords } {
  const server = createQuietServer();
  const orm = createOrm(buildSchema(graphQLSchema), server.schema, parseConventions({}));
  server.db.loadData({ notes: [{ name: "first" }] });
  const warn = (cause: unknown) => void warnings.push(String(cause));
  return {
    orm,
    kept: new KeptRecords(orm, {
      ...{ storage: sessionStorage, prefix: "mirage-graphql ", key, warn },
    }),
  };
}

function notesOf({ mirageSchema }: Orm): readonly unknown[] {
  return mirageSchema.db._collections.find(({ name }) => name === "notes")?.all() ?? [];
}

Deno.test("KeptRecords keeps dates, lists and used ids, and forgets them", () => {
  sessionStorage.clear();
  const { orm, kept } = load();
  const at = new Date(86_400_000);
  orm.mirageSchema.create("note", { name: "second", at, tags: ["x"] });
  orm.mirageSchema.create("note", { name: "third" }).destroy();
  kept.store();

  const again = load();
  deepStrictEqual(notesOf(again.orm), [
    { id: "1", name: "first" },
    { id: "2", name: "second", at, tags: ["x"] },
  ]);
  strictEqual(again.orm.mirageSchema.create("note").id, "4");
  again.kept.reset();
  deepStrictEqual(notesOf(again.orm), [{ id: "1", name: "first" }]);
  strictEqual(sessionStorage.length, 0);
});

Deno.test("KeptRecords starts anew, with a warning, if the storage has something else", () => {
  for (const text of ["", "0 {", "0 null", `0 { "tables": { "notes": {} } }`]) {
    sessionStorage.clear();
    sessionStorage.setItem("mirage-graphql a", text);
    const warnings: string[] = [];
    deepStrictEqual(notesOf(load(warnings).orm), [{ id: "1", name: "first" }]);
    strictEqual(warnings.length, 1);
    strictEqual(sessionStorage.length, 0);
  }
});

Deno.test("KeptRecords warns about values that can't be kept", () => {
  sessionStorage.clear();
  const warnings: string[] = [];
  const { orm, kept } = load(warnings);
  orm.mirageSchema.create("note", { size: 1n });
  kept.store();
  match(warnings.join(), /BigInt/);
  strictEqual(notesOf(orm).length, 2);
});

Deno.test("KeptRecords leaves the records of three other schemas, and nothing of others' keys", () => {
  sessionStorage.clear();
  sessionStorage.setItem("cart", "mine");
  for (const [at, letter] of [..."abcdef"].entries()) {
    sessionStorage.setItem(`mirage-graphql ${letter}`, `${at} {}`);
  }
  load([], "mirage-graphql g");
  deepStrictEqual(Object.keys(sessionStorage).toSorted(), [
    "cart",
    "mirage-graphql d",
    "mirage-graphql e",
    "mirage-graphql f",
  ]);
});

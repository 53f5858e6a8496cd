import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  cellText,
  changedTables,
  columnsOf,
  createRecordEditor,
  parseCell,
  readTables,
} from "./records.ts";
import { startMock } from "./start_mock.ts";

const SCHEMA = `
  type Author { id: ID! name: String! books: [Book!]! }
  type Book { id: ID! title: String! year: Int! author: Author! }
  type Query { authors: [Author!]! books: [Book!]! }
`;

const TABLES = {
  authors: [{ id: "1", name: "Ada", bookIds: ["1"] }, { id: "2", name: "Bea", bookIds: [] }],
  books: [{ id: "1", title: "Notes", year: 1843, authorId: "1" }],
};

/** What is typed into a column with some values, and what is stored. */
const CELLS: readonly (readonly [text: string, column: readonly unknown[], value: unknown])[] = [
  ["Ada", ["Bea"], "Ada"],
  ["12", ["3"], "12"],
  ["12", [3], 12],
  ["12", [null], 12],
  ["true", [false], true],
  ["many", [3], "many"],
  ['["1","2"]', [[]], ["1", "2"]],
  ["", ["Bea"], null],
  ["", [3], null],
];

for (const [text, column, value] of CELLS) {
  Deno.test(`parseCell() reads "${text}" in a column of ${JSON.stringify(column)}`, () => {
    deepStrictEqual(parseCell(text, column), value);
  });
}

Deno.test("cellText() shows what parseCell() reads", () => {
  deepStrictEqual([null, undefined, "a", 1, ["1"]].map(cellText), ["", "", "a", "1", '["1"]']);
  deepStrictEqual(columnsOf([{ name: "Ada" }, { id: "1", city: "Paris" }]), ["id", "name", "city"]);
});

Deno.test("a foreign key that is edited changes both sides", async () => {
  const { mock, generated, generate } = await startMock({ schemaText: SCHEMA, tables: TABLES });
  const editor = createRecordEditor(mock, generate);
  editor.change("books", "1", { authorId: "2", year: 1844 });
  const { authors, books } = readTables(mock, Object.keys(generated));
  deepStrictEqual(authors?.map(({ bookIds }) => bookIds), [[], ["1"]]);
  deepStrictEqual(books, [{ id: "1", title: "Notes", year: 1844, authorId: "2" }]);
  throws(() => editor.change("books", "1", { authorId: "9" }));
});

Deno.test("an added record has all that its type requires, and a removed one leaves no link", async () => {
  const { mock, generate } = await startMock({ schemaText: SCHEMA });
  const editor = createRecordEditor(mock, generate);
  editor.add("books");
  const query = "{ books { id title year author { name } } authors { books { id } } }";
  const { books } = await mock.query(query);
  strictEqual(Array.isArray(books) && books.length, 6);
  editor.remove("books", "6");
  editor.remove("books", "1");
  strictEqual(JSON.stringify(await mock.query("{ authors { books { id } } }")).includes('"1"'), false);
  throws(() => editor.remove("books", "6"), { message: 'Cannot edit "books 6": it has been removed' });
});

Deno.test("changedTables() has only what differs from the generated records, and it is restored", async () => {
  const first = await startMock({ schemaText: SCHEMA });
  const names = Object.keys(first.generated);
  deepStrictEqual(changedTables(first.generated, readTables(first.mock, names)), {});
  createRecordEditor(first.mock, first.generate).change("authors", "1", { name: "Ada" });
  const changed = changedTables(first.generated, readTables(first.mock, names));
  deepStrictEqual(Object.keys(changed), ["authors"]);
  const second = await startMock({ schemaText: SCHEMA, tables: { ...changed, ghosts: [{ id: 1 }] } });
  deepStrictEqual(readTables(second.mock, names), readTables(first.mock, names));
});

import { deepStrictEqual, notStrictEqual, throws } from "node:assert/strict";
import { tableOf } from "../orm/writes/record_ref.ts";
import { createRecord, deleteRecord, updateRecord } from "../orm/writes/write_records.ts";
import { createMutationServer, type MutationServer } from "../testing/mutation_server.ts";

const SHOP = `
  type Query { orders: [Order] }
  type Order { id: ID! note: String to: Address lines: [Line!] customer: Customer }
  type Address { city: String tags: [[String]] }
  type Line { id: ID! count: Int product: Product order: Order }
  type Product { id: ID! name: String }
  type Customer { id: ID! name: String orders: [Order!] }
  scalar JSON
`;

function create(server: MutationServer, typeName: string, input: Record<string, unknown>) {
  return createRecord(server, server.model(typeName), input);
}

Deno.test("createRecord() creates nested records of the input, at any depth, and links them", () => {
  using server = createMutationServer(SHOP);
  const lines = [{ count: 2, product: { name: "Tea" } }, { count: 1, product: { name: "Cup" } }];
  const record = create(server, "Customer", { name: "Ada", orders: [{ note: "n", lines }] });
  deepStrictEqual(record, { id: "1", name: "Ada", orderIds: ["1"] });
  deepStrictEqual(server.dump(), {
    customers: [{ id: "1", name: "Ada", orderIds: ["1"] }],
    orders: [{ id: "1", note: "n", customerId: "1", lineIds: ["1", "2"] }],
    lines: [
      { id: "1", count: 2, productId: "1", orderId: "1" },
      { id: "2", count: 1, productId: "2", orderId: "1" },
    ],
    products: [{ id: "1", name: "Tea" }, { id: "2", name: "Cup" }],
  });
});

Deno.test("createRecord() updates and links a nested record whose id exists", () => {
  using server = createMutationServer(SHOP);
  create(server, "Product", { name: "Tea" });
  create(server, "Line", { count: 1, product: { id: "1", name: "Green tea" } });
  deepStrictEqual(server.table("products"), [{ id: "1", name: "Green tea" }]);
  deepStrictEqual(server.table("lines")[0]?.productId, "1");
});

Deno.test("createRecord() links a record only once if its input nests it twice", () => {
  using server = createMutationServer(SHOP);
  create(server, "Line", { count: 1 });
  const lines = [{ id: "1", count: 2 }, { id: "1", count: 3 }];
  deepStrictEqual(create(server, "Order", { lines }).lineIds, ["1"]);
  deepStrictEqual(server.table("lines")[0]?.count, 3);
});

Deno.test("createRecord() creates a nested record with attributes under its given id", () => {
  using server = createMutationServer(SHOP);
  create(server, "Line", { product: { id: "tea", name: "Tea" } });
  deepStrictEqual(server.table("products"), [{ id: "tea", name: "Tea" }]);
});

Deno.test("createRecord() keeps a given id, and generates one for null", () => {
  using server = createMutationServer(SHOP);
  deepStrictEqual(create(server, "Product", { id: 7 }), { id: "7" });
  deepStrictEqual(create(server, "Product", { id: null, name: undefined }), { id: "8" });
});

Deno.test("createRecord() copies embedded values in and out", () => {
  using server = createMutationServer(SHOP);
  const to = { city: "Paris", tags: [["a"]], at: new Date(0) };
  const record = create(server, "Order", { to }) as { to: typeof to; lineIds: unknown };
  to.tags[0]!.push("changed");
  to.at.setTime(1);
  record.to.tags[0]!.push("changed");
  notStrictEqual(record.to, to);
  deepStrictEqual(server.table("orders")[0]?.to, {
    city: "Paris",
    tags: [["a"]],
    at: new Date(0),
  });
});

Deno.test("createRecord() treats a key named __proto__ as a plain key", () => {
  using server = createMutationServer(SHOP);
  const to = JSON.parse('{ "__proto__": { "city": "x" } }');
  const record = create(server, "Order", { to });
  deepStrictEqual(JSON.stringify(record.to), '{"__proto__":{"city":"x"}}');
});

Deno.test("createRecord() returns foreign keys that are not shared", () => {
  using server = createMutationServer(SHOP);
  const record = create(server, "Customer", { orders: [{}] });
  (record.orderIds as string[]).push("changed");
  deepStrictEqual(server.table("customers")[0]?.orderIds, ["1"]);
  const before = updateRecord(server, { modelName: "customer", id: "1" }, { name: "B" });
  updateRecord(server, { modelName: "customer", id: "1" }, { name: "C", orders: [] });
  deepStrictEqual(before, { id: "1", name: "B", orderIds: ["1"] });
});

Deno.test("a write that fails half-way is undone", () => {
  using server = createMutationServer(SHOP);
  create(server, "Product", { id: "p", name: "Tea" });
  create(server, "Customer", { name: "Ada", orders: [{ note: "old" }] });
  const before = server.dump();
  const twins = [{ product: { id: "p", name: "changed" } }, { id: "l" }, { count: 1, id: "l" }];
  throws(() => create(server, "Order", { lines: twins }), {
    message: 'Cannot link "l" as "lines" of Order: there is no Line "l"',
  });
  twins[1] = { id: "l", count: 2 } as never;
  const orders = [{ id: "1", note: "changed", lines: twins }];
  throws(
    () =>
      updateRecord(server, { modelName: "customer", id: "1" }, { name: "B", nick: "b", orders }),
    {
      message: 'Cannot create Line "l": a record with this id exists',
    },
  );
  deepStrictEqual(server.dump(), before);
});

Deno.test("an id that Mirage has already given to a deleted record is an error that says so", () => {
  using server = createMutationServer(SHOP);
  create(server, "Product", { name: "Tea" });
  deleteRecord(server, { modelName: "product", id: "1" });
  throws(() => create(server, "Product", { id: "1" }), {
    message: `Cannot create Product "1": Attempting to use the ID 1, but it's already been used`,
  });
});

Deno.test("updateRecord() and deleteRecord() name the missing record", () => {
  using server = createMutationServer(SHOP);
  const ref = { modelName: "line", id: "9" };
  throws(() => updateRecord(server, ref, {}), {
    message: 'Cannot update Line "9": there is no record with this id',
    extensions: { code: "NOT_FOUND" },
  });
  throws(() => deleteRecord(server, ref), {
    message: 'Cannot delete Line "9": there is no record with this id',
    extensions: { code: "NOT_FOUND" },
  });
});

Deno.test("deleteRecord() deletes a record whose foreign keys lead to no record", () => {
  using server = createMutationServer(SHOP);
  create(server, "Line", { product: {} });
  server.tamper("lines", "1", { productId: "9", orderId: "9" });
  deepStrictEqual(deleteRecord(server, { modelName: "line", id: "1" }).productId, "9");
  deepStrictEqual(server.table("lines"), []);
});

Deno.test("deleteRecord() reports the removed record as it was to listeners of the table", () => {
  using server = createMutationServer(SHOP);
  create(server, "Line", { product: {} });
  const table = tableOf(server.mirageSchema, "line");
  const removed: unknown[] = [];
  const { remove } = table;
  table.remove = (id) => {
    removed.push(table.find(String(id)));
    return remove.call(table, id);
  };
  deleteRecord(server, { modelName: "line", id: "1" });
  deepStrictEqual(removed, [{ id: "1", orderId: null, productId: "1" }]);
});

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { MockModel } from "../orm/models/model_map.ts";
import { MockRecord, MODEL } from "../orm/records/record_store.ts";
import { type Identify, PagedList } from "./paged_list.ts";

function modelOf(typeName: string): MockModel {
  return {
    typeName,
    modelName: typeName.toLowerCase(),
    collectionName: `${typeName.toLowerCase()}s`,
    relations: new Map(),
    getters: new Set(),
    key: undefined,
  };
}

const identify: Identify = (node, model) => {
  if (typeof node !== "string") return { typeName: model?.typeName ?? "", id: idOf(node) };
  return { typeName: node.slice(0, 3), id: node.slice(3) };
};

function idOf(node: unknown): string {
  return typeof node === "object" && node !== null && "id" in node ? String(node.id) : "";
}

const parts = [
  { model: modelOf("Cat"), records: [{ id: "1" }, { id: "2" }] },
  { model: modelOf("Bird"), records: [] },
  { model: modelOf("Dog"), records: [{ id: "1" }, { id: "2" }, { id: "3" }] },
];
const NAMES = ["Cat1", "Cat2", "Dog1", "Dog2", "Dog3"];

const records = new PagedList({ kind: "records", parts }, identify);
const values = new PagedList({ kind: "values", values: NAMES }, identify);

const LISTS = { "a list of records": records, "a list of values": values };

const SLICES: readonly [start: number, end: number, nodes: readonly string[]][] = [
  [0, 5, ["Cat1", "Cat2", "Dog1", "Dog2", "Dog3"]],
  [0, 1, ["Cat1"]],
  [1, 3, ["Cat2", "Dog1"]],
  [2, 5, ["Dog1", "Dog2", "Dog3"]],
  [4, 9, ["Dog3"]],
  [3, 3, []],
  [5, 5, []],
];

for (const [name, list] of Object.entries(LISTS)) {
  Deno.test(`${name} has its length`, () => strictEqual(list.length, 5));

  Deno.test(`${name} identifies its nodes`, () => {
    deepStrictEqual(
      list.identities().map(({ typeName, id }) => `${typeName}${id}`),
      NAMES,
    );
  });

  for (const [start, end, nodes] of SLICES) {
    Deno.test(`${name} has a slice from ${start} to ${end}`, () => {
      const names = list.slice(start, end).map((node) =>
        node instanceof MockRecord ? `${node[MODEL].typeName}${node.id}` : node
      );
      deepStrictEqual(names, nodes);
    });
  }
}

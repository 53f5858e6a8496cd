import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { MockModel } from "../orm/models/model_map.ts";
import { MockRecord, MODEL } from "../orm/records/record_store.ts";
import { RecordList, ValueList } from "./paged_list.ts";

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

const records = new RecordList([
  { model: modelOf("Cat"), records: [{ id: "1" }, { id: "2" }] },
  { model: modelOf("Bird"), records: [] },
  { model: modelOf("Dog"), records: [{ id: "1" }, { id: "2" }, { id: "3" }] },
]);

const values = new ValueList(
  ["Cat1", "Cat2", "Dog1", "Dog2", "Dog3"],
  (node) => ({ typeName: String(node).slice(0, 3), id: String(node).slice(3) }),
);

const LISTS = { RecordList: records, ValueList: values };

const POSITIONS: readonly [node: string, position: number | undefined][] = [
  ["Cat1", 0],
  ["Cat2", 1],
  ["Dog1", 2],
  ["Dog3", 4],
  ["Cat3", undefined],
  ["Cow1", undefined],
];

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

  for (const [node, position] of POSITIONS) {
    Deno.test(`${name} finds ${node} at ${position}`, () => {
      const identity = { typeName: node.slice(0, 3), id: node.slice(3) };
      strictEqual(list.positionOf(identity), position);
    });
  }

  for (const [start, end, nodes] of SLICES) {
    Deno.test(`${name} has a slice from ${start} to ${end}`, () => {
      const names = list.slice(start, end).map((node) =>
        node instanceof MockRecord ? `${node[MODEL].typeName}${node.id}` : node
      );
      deepStrictEqual(names, nodes);
    });
  }
}

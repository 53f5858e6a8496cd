import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { MockModel } from "../models/model_map.ts";
import { MockRecord, MODEL, RecordList } from "./record_store.ts";

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

function nameOf(record: unknown, model: MockModel | undefined): unknown {
  const isRecord = typeof record === "object" && record !== null && "id" in record;
  return isRecord ? `${model?.typeName}${record.id}` : record;
}

const parts = [
  { model: modelOf("Cat"), records: [{ id: "1" }, { id: "2" }] },
  { model: modelOf("Bird"), records: [] },
  { model: modelOf("Dog"), records: [{ id: "1" }, { id: "2" }, { id: "3" }] },
];
const NAMES = ["Cat1", "Cat2", "Dog1", "Dog2", "Dog3"];

const records = new RecordList(parts);
const values = new RecordList([{ records: NAMES }]);

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

  Deno.test(`${name} passes on its own records, with their models`, () => {
    deepStrictEqual(list.mapOwn(nameOf), NAMES);
  });

  Deno.test(`${name} iterates over copies of them`, () => {
    const names = Array.from(
      list,
      (one) => one instanceof MockRecord ? nameOf(one, one[MODEL]) : one,
    );
    deepStrictEqual(names, NAMES);
    deepStrictEqual(
      parts.flatMap(({ records }) => records).filter((one) => [...list].includes(one)),
      [],
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

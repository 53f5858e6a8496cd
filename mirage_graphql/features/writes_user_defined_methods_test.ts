import { Model } from "miragejs";
import { deepStrictEqual } from "node:assert/strict";
import type { MirageModel } from "../orm/mirage/mirage_schema.ts";
import { createRecord, deleteRecord, updateRecord } from "../orm/writes/write_records.ts";
import { createMutationServer } from "../testing/mutation_server.ts";

const NOTES = `
  type Query { notes: [Note] }
  type Note { id: ID! text: String saved: Int owner: Owner }
  type Owner { id: ID! notes: [Note!] }
`;

/** The methods of Mirage's own model, which the user-defined ones call. */
const base = (Model as unknown as { prototype: Record<string, (...args: unknown[]) => unknown> })
  .prototype;

Deno.test("user-defined save(), update() and destroy() are called", () => {
  const calls: string[] = [];
  const record = (name: string) =>
    function (this: MirageModel, ...args: unknown[]) {
      calls.push(name);
      return base[name]!.apply(this, args);
    };
  const methods = { save: record("save"), update: record("update"), destroy: record("destroy") };
  using server = createMutationServer(NOTES, { models: { owner: Model.extend(methods) } });
  createRecord(server, server.model("Owner"), {});
  deepStrictEqual(calls.splice(0), ["save"]);
  updateRecord(server, { modelName: "owner", id: "1" }, { name: "Ada" });
  deepStrictEqual(calls.splice(0), ["update", "save"]);
  deleteRecord(server, { modelName: "owner", id: "1" });
  deepStrictEqual(calls, ["destroy"]);
  deepStrictEqual(server.table("owners"), []);
});

Deno.test("a record has the foreign keys that Mirage sets", () => {
  using server = createMutationServer(NOTES);
  createRecord(server, server.model("Note"), { text: "by us" });
  server.seed("note", { text: "by us" });
  const [ours, mirages] = server.table("notes");
  deepStrictEqual({ ...ours, id: "2" }, mirages);
});

Deno.test("ids come from the user-defined identity manager", () => {
  class Letters {
    #next = 97;
    fetch() {
      return String.fromCharCode(this.#next++);
    }
    set() {}
    reset() {}
  }
  using server = createMutationServer(NOTES, { identityManagers: { application: Letters } });
  const ids = [1, 2].map(() => createRecord(server, server.model("Note"), {}).id);
  deepStrictEqual(ids, ["a", "b"]);
});

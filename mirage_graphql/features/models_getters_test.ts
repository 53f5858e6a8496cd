import { deepStrictEqual } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { startMirage } from "../testing/model_server.ts";

/** Mirage's types describe its model as a value; at run time it is a class. */
const ModelClass = Model as unknown as new () => { attrs: Record<string, unknown> };

class Being extends ModelClass {
  get isAlive() {
    return true;
  }
}

class Person extends Being {
  get fullName() {
    return `${this.attrs.first} ${this.attrs.last}`;
  }
  set nickname(_name: string) {}
  greeting() {
    return `Hello ${this.fullName}`;
  }
}

const TYPE_DEFS = "type Query { person: Person } type Person { id: ID! } type Post { id: ID! }";

Deno.test("ensureModels() names the getters and methods of user-defined classes", () => {
  using mirage = startMirage({ person: Person as unknown as typeof Model });
  const model = mirage.ensure(TYPE_DEFS).ofType("Person");
  deepStrictEqual([...model?.getters ?? []].sort(), ["fullName", "greeting", "isAlive"]);

  const person = mirage.mockSchema.create("person", { first: "Ada", last: "Byron" });
  deepStrictEqual(person.fullName, "Ada Byron");
});

Deno.test("ensureModels() does not count Mirage's additions for associations as user-defined", () => {
  using mirage = startMirage({
    person: Model.extend({ posts: hasMany(), editor: belongsTo("person") }),
    post: Model,
  });
  deepStrictEqual(mirage.ensure(TYPE_DEFS).ofType("Person")?.getters, new Set());
});

Deno.test("ensureModels() finds methods given to Model.extend(), whose getters are read at once", () => {
  using mirage = startMirage({
    person: Model.extend({
      get now() {
        return "read when the class was created";
      },
      greeting: () => "Hello",
    }),
  });
  deepStrictEqual(mirage.ensure(TYPE_DEFS).ofType("Person")?.getters, new Set(["greeting"]));
});

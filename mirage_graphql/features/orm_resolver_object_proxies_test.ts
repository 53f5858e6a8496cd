import { deepStrictEqual } from "node:assert/strict";
import { belongsTo } from "miragejs";
import { reactive, readonly, shallowReactive } from "vue";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";

Deno.test("a resolver's obj can be read through proxies that wrap what they return, like Vue's", async () => {
  class Person extends ModelClass {
    get shout() {
      return `${this.name}!`;
    }
  }
  Object.assign(Person.prototype, { boss: belongsTo("person", { inverse: null }) });
  const probe = (obj: { shout: string; boss: { name: string } }) =>
    [reactive, readonly, shallowReactive].map((wrap) => {
      const wrapped = wrap(obj);
      return `${wrapped.shout} ${wrapped.boss?.name}`;
    }).join();
  const { data } = createMockServer(
    "type Query { person: Person } type Person { id: ID! name: String boss: Person probe: String }",
    {
      models: { person: Person },
      data: { people: [{ id: "1", name: "Ada", bossId: "2" }, { id: "2", name: "Bea" }] },
      resolvers: { Person: { probe } },
    },
  );
  deepStrictEqual(await data("{ person { probe } }"), {
    person: { probe: "Ada! Bea,Ada! Bea,Ada! Bea" },
  });
});

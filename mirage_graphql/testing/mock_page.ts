/** A page that creates a mock and its records, and compares all globals before and after. */
import { createMock } from "../mod.ts";
import { createSeeds } from "../seeds.ts";

async function useMock(): Promise<unknown> {
  const keys = Reflect.ownKeys(globalThis);
  const before = keys.map((key) => Reflect.get(globalThis, key));
  const prototype = { ...Object.getOwnPropertyDescriptors(XMLHttpRequest.prototype) };
  const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
  const mock = createMock(graphQLSchema);
  mock.db.loadData(createSeeds(graphQLSchema, { count: 1, values: { Person: { name: "Ada" } } }));
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query: "{ people { name } }" });
  const answer = await mock.fetch(new Request("/graphql", { method: "POST", headers, body }));
  const after = Object.getOwnPropertyDescriptors(XMLHttpRequest.prototype);
  return {
    answer: await answer.json(),
    added: Reflect.ownKeys(globalThis).filter((key) => !keys.includes(key)).map(String),
    changed: keys.filter((key, at) => !Object.is(Reflect.get(globalThis, key), before[at])).map(
      String,
    ),
    isXhrNative: Object.entries(after).every(([name, { value }]) =>
      prototype[name]?.value === value
    ),
    network: await (await fetch("/real")).text(),
  };
}

Object.assign(globalThis, { useMock });

import { createServer, Model, Response } from "miragejs";
import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { toResolved } from "../fields/source.ts";

const { schema } = createServer({ environment: "test", models: { person: Model } });
schema.create("person");
schema.create("person");
const people = schema.all("person");
const { models } = people;

Deno.test("toResolved() converts collections to lists, including those in lists", () => {
  deepStrictEqual(toResolved(people), models);
  deepStrictEqual(toResolved([people, [people], []]), [models, [models], []]);
});

Deno.test("toResolved() waits for promises, including those in lists", async () => {
  deepStrictEqual(await toResolved(Promise.resolve(people)), models);
  const [first] = toResolved([Promise.resolve(people)]) as Promise<unknown>[];
  deepStrictEqual(await first, models);
});

for (const value of [1, "a", null, undefined, [1, 2], { a: 1 }, models[0]]) {
  Deno.test(`toResolved() returns other values unchanged: ${Deno.inspect(value, { depth: 0 })}`, () => {
    strictEqual(toResolved(value), value);
  });
}

Deno.test("toResolved() throws a Response, so that it becomes the whole response", () => {
  const response = new Response(418);
  throws(() => toResolved(response), (thrown) => thrown === response);
});

import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import { Faults } from "./faults.ts";

Deno.test("Faults apply once or every time, by kind and name, in their order", () => {
  const faults = new Faults();
  faults.add({ kind: "graphql", name: "*", isEvery: false, failure: 500 });
  faults.add({ kind: "graphql", name: "People", isEvery: true, failure: "network" });
  faults.add({ kind: "rest", name: "GET /rooms", isEvery: false, failure: 503 });
  const of = (kind: "graphql" | "rest", name?: string) => faults.failureOf(kind, name);
  deepStrictEqual(
    [of("rest", "GET /"), of("rest", "GET /rooms"), of("rest", "GET /rooms")],
    [undefined, 503, undefined],
  );
  deepStrictEqual(
    [of("graphql", "People"), of("graphql", "People"), of("graphql", "People"), of("graphql")],
    [500, "network", "network", undefined],
  );
});

Deno.test("Faults.wait() is undefined without a delay, and rejects if the signal aborts", async () => {
  const faults = new Faults();
  let changes = 0;
  faults.onChange = () => changes++;
  strictEqual(faults.wait("graphql", "People", undefined), undefined);
  faults.add({ kind: "graphql", name: "People", isEvery: false, delay: 60_000 });
  const controller = new AbortController();
  const waiting = faults.wait("graphql", "People", controller.signal);
  controller.abort(new Error("left"));
  await rejects(waiting ?? Promise.resolve(), /left/);
  deepStrictEqual([faults.all, changes], [[], 2]);
});

Deno.test("Faults refuses values out of their range, and more than 50", () => {
  const faults = new Faults();
  const one = { kind: "graphql", name: "*", isEvery: false } as const;
  throws(() => faults.add({ ...one, delay: NaN }), /^RangeError: Cannot delay by "NaN": /);
  throws(() => faults.add({ ...one, failure: 200 }), /^RangeError: Cannot fail with status "200"/);
  for (let count = 0; count < 50; count++) faults.add({ ...one, delay: 1 });
  throws(() => faults.add({ ...one, delay: 1 }), /^RangeError: Cannot add a fault: there are 50$/);
  faults.remove();
  strictEqual(faults.all.length, 0);
});

import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import type { Inspection } from "../execution/inspector.ts";
import { createMock, type Mock } from "../mod.ts";
import { Faults } from "./faults.ts";
import { createInspector, MOST_KEPT, Recorder } from "./recorder.ts";

const SCHEMA = `
  type Person { id: ID! name: String! }
  type Query { people: [Person!]! me: Person }
  type Mutation { promote(id: ID!, grade: Int!): Person! deletePerson(id: ID!): Person }
  type Subscription { personCreated: Person! }
`;

function createRecorded() {
  const mock: Mock & { readonly inspection?: Inspection } = createMock(SCHEMA, undefined, {
    resolvers: { Query: { me: () => ({ id: "9", name: "Eve" }) } },
    warnings: false,
  });
  mock.db.loadData({ people: [{ name: "Ada" }] });
  const [recorder, faults] = [new Recorder(), new Faults()];
  const { inspection } = mock;
  if (inspection === undefined) throw new TypeError("Cannot inspect: the mock has no inspection");
  inspection.inspector = createInspector(recorder, faults, inspection.explain);
  return { mock, recorder, faults };
}

Deno.test("Recorder keeps requests, their responses and what answers them", async () => {
  const { mock, recorder } = createRecorded();
  await mock.query(
    "query Both { ...Fields me { name } } fragment Fields on Query { people { name } }",
  );
  await rejects(mock.query("mutation Promote { promote(id: 1, grade: 2) { id } }"));
  await mock.query("mutation Remove { deletePerson(id: 1) { id } }");
  deepStrictEqual(
    recorder.requests.map(({ type, name, state, isRefused }) => [type, name, state, isRefused]),
    [
      ["mutation", "Remove", "done", false],
      ["mutation", "Promote", "failed", true],
      ["query", "Both", "done", false],
    ],
  );
  const [remove, promote, both] = await Promise.all(
    recorder.requests.map((request) => request.explain?.()),
  );
  deepStrictEqual(both?.answers, [
    {
      field: "Query.people",
      rule: "records, a list of Person (no conventions are on)",
      dialectRules: [],
    },
    { field: "Query.me", rule: 'a resolver of the option "resolvers"', dialectRules: [] },
  ]);
  deepStrictEqual(remove?.answers.map(({ rule }) => rule), [
    "a mutation that says “delete”, Person (no conventions are on)",
  ]);
  match(promote?.refusal?.stub ?? "", /^resolvers: \{\n {2}Mutation: \{\n {4}promote\(/);
});

Deno.test("Recorder starts a subscription at once, and keeps its latest results", async () => {
  const { mock, recorder } = createRecorded();
  const results = mock.subscribe({ query: "subscription News { personCreated { name } }" });
  const count = MOST_KEPT.results + 1;
  mock.db.loadData({ people: Array.from({ length: count }, (_, at) => ({ name: `${at}` })) });
  for (let at = 0; at < count; at++) await results.next();
  const [stream] = recorder.streams;
  deepStrictEqual([stream?.count, stream?.responses.length], [count, MOST_KEPT.results]);
  await results.return();
  strictEqual(stream?.state, "done");
});

Deno.test("Recorder fails what a fault is for, also a subscription, and keeps 100 requests", async () => {
  const { mock, recorder, faults } = createRecorded();
  faults.add({ kind: "graphql", name: "*", isEvery: true, failure: new Error("closed") });
  for (let count = 0; count <= MOST_KEPT.requests; count++) {
    await rejects(mock.query(`query Q${count} { people { name } }`), /closed/);
  }
  strictEqual(recorder.requests.length, MOST_KEPT.requests);
  strictEqual(recorder.requests[0]?.isPlanned, true);
  strictEqual(mock.operations.at(-1)?.name, `Q${MOST_KEPT.requests}`);
  const headers = { accept: "text/event-stream", "content-type": "application/json" };
  const body = JSON.stringify({ query: "subscription News { personCreated { name } }" });
  const request = new Request("http://mock.test/graphql", { method: "POST", headers, body });
  match(await (await mock.fetch(request)).text(), /closed/);
  deepStrictEqual(recorder.streams.map(({ state, transport }) => [state, transport]), [
    ["failed", "server-sent events"],
  ]);
});

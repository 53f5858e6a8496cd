/**
 * What a request costs in addition to its resolvers: each way of requesting a list of 10 against
 * bare graphql-js with a document cache, in CPU time, interleaved.
 *
 *     deno run -A mirage_graphql/bench/request.ts
 */
import { cpuUsage } from "node:process";
import { type DocumentNode, execute, parse, validate } from "graphql";
import { makeExecutableSchema } from "@graphql-tools/schema";
import { createFetchHandlerFor } from "../http/fetch_handler.ts";
import { createExecutor } from "../execution/executor.ts";
import { createRouteHandler } from "../http/route_handler.ts";

const people = Array.from({ length: 10 }, (_, index) => ({ id: `${index}`, name: `n${index}` }));
const schema = makeExecutableSchema({
  typeDefs: "type Person { id: ID! name: String! } type Query { people: [Person!]! }",
  resolvers: { Query: { people: () => people } },
});
const query = "query People { people { id name } }";
const body = JSON.stringify({ query, variables: {}, operationName: "People" });
const headers = { "content-type": "application/json", "accept": "application/json" };

const documents = new Map<string, DocumentNode>();

function bare(source: string) {
  let document = documents.get(source);
  if (document === undefined) {
    document = parse(source);
    if (validate(schema, document).length > 0) throw new Error("Cannot measure: not valid");
    documents.set(source, document);
  }
  return execute({ schema, document, contextValue: {}, variableValues: {} });
}

async function bareFetch(request: Request): Promise<Response> {
  const { query } = JSON.parse(await request.text());
  return new Response(JSON.stringify(await bare(query)), { headers });
}

const executor = createExecutor(schema, { mockSchema: {} });
const route = createRouteHandler(executor);
const fetchHandler = createFetchHandlerFor(executor);
const newRequest = () => new Request("http://localhost/graphql", { method: "POST", body, headers });

type Way = readonly [name: string, run: () => unknown];

const PAIRS: readonly (readonly [Way, Way])[] = [
  [["bare execute", () => bare(query)], ["executor", () => executor.execute({ query })]],
  [
    ["bare, body parsed", () => Promise.resolve(bare(JSON.parse(body).query))],
    ["route handler", () => route(undefined, { requestBody: body, requestHeaders: headers })],
  ],
  [
    ["bare fetch", async () => await (await bareFetch(newRequest())).text()],
    ["fetch handler", async () => await (await fetchHandler(newRequest())).text()],
  ],
];

const ROUNDS = 15;
const TURNS = 2000;

/** CPU microseconds of one turn. */
async function measure(run: () => unknown): Promise<number> {
  const start = cpuUsage();
  for (let turn = 0; turn < TURNS; turn++) await run();
  const { user, system } = cpuUsage(start);
  return (user + system) / TURNS;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

for (const [[floorName, floor], [name, run]] of PAIRS) {
  const floors: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    floors.push(await measure(floor));
    ours.push(await measure(run));
  }
  const [low, own] = [median(floors), median(ours)];
  const ratio = (own / low).toFixed(2);
  console.log(`${name} ${own.toFixed(1)} us, ${floorName} ${low.toFixed(1)} us: ${ratio}`);
}

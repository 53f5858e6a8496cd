import { version } from "graphql";
import { benchBuild } from "./build.ts";
import { type Contenders, createContenders } from "./contenders.ts";
import { cpuTimes } from "./cpu_time.ts";
import type { Size } from "./data.ts";
import { measureHandler } from "./size.ts";

const NONE: Size = { people: 0, pets: 0, authors: 0, postsEach: 0 };
const PEOPLE = "{ people { id firstName lastName age } }";

const PETS = "{ pets { __typename ... on Cat { id name lives } ... on Dog { id name breed } } }";
const AUTHORS = "{ authors { id name posts { id title author { name } } } }";
const PAGE = `{ peoplePage(first: 20) { edges { cursor node { id firstName } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`;

/** One row of the table. */
interface Case {
  readonly name: string;
  readonly size: Partial<Size>;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly target: string;
}

/** One row of the table of growth. */
interface GrowingCase {
  readonly name: string;
  readonly sizeOf: (count: number) => Partial<Size>;
  readonly query: string;
}

const GROWING: readonly GrowingCase[] = [
  { name: "list", sizeOf: (people) => ({ people }), query: PEOPLE },
  {
    name: "filter",
    sizeOf: (people) => ({ people }),
    query: `{ people(lastName: "Haake") { id firstName lastName age } }`,
  },
  { name: "union", sizeOf: (pets) => ({ pets }), query: PETS },
  {
    name: "parents x 10 children",
    sizeOf: (posts) => ({ authors: posts / 10, postsEach: 10 }),
    query: AUTHORS,
  },
  { name: "first: 20", sizeOf: (people) => ({ people }), query: PAGE },
];

const CASES: readonly Case[] = [
  { name: "list of 10", size: { people: 10 }, query: PEOPLE, target: "7 x, floor 1.25" },
  { name: "list of 1,000", size: { people: 1000 }, query: PEOPLE, target: "5 x, floor 1.5" },
  { name: "list of 10,000", size: { people: 10_000 }, query: PEOPLE, target: "5 x, floor 1.5" },
  {
    name: "filter of 1,000",
    size: { people: 1000 },
    query: `{ people(lastName: "Haake") { id firstName lastName age } }`,
    target: "5 x",
  },
  {
    name: "union of 1,000",
    size: { pets: 1000 },
    query: PETS,
    target: "5 x",
  },
  {
    name: "list of 1,000, with a resolver",
    size: { people: 1000 },
    query: "{ people { id fullName age } }",
    target: "",
  },
  {
    name: "by id among 10",
    size: { people: 10 },
    query: "query ($id: ID!) { person(id: $id) { id firstName } }",
    variables: { id: "7" },
    target: "7 x",
  },
  {
    name: "by id among 10,000",
    size: { people: 10_000 },
    query: "query ($id: ID!) { person(id: $id) { id firstName } }",
    variables: { id: "5000" },
    target: "50 x",
  },
  {
    name: "100 parents x 10 children",
    size: { authors: 100, postsEach: 10 },
    query: AUTHORS,
    target: "50 x, floor 1.5",
  },
  {
    name: "first: 20 of 1,000",
    size: { people: 1000 },
    query: PAGE,
    target: "50 x",
  },
  {
    name: "create",
    size: { people: 10 },
    query: `mutation ($input: PersonInput!) { createPerson(input: $input) { id firstName } }`,
    variables: { input: { firstName: "Ola", lastName: "Englund", age: 40 } },
    target: "7 x, floor 2",
  },
];

console.log(
  `Deno ${Deno.version.deno}, graphql ${version}, CPU time of one request, taken in turns`,
);
console.log("\n| case | ours | peer / ours | ours / floor | conventions / ours | target |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const one of CASES) console.log(await benchCase(one));
console.log("\n| from 1,000 to 10,000 records | ours | floor | target |");
console.log("| --- | --- | --- | --- |");
for (const one of GROWING) console.log(await benchGrowth(one));
console.log("\n| build | ours | ours / buildSchema() | target |");
console.log("| --- | --- | --- | --- |");
console.log(await benchBuild());
const { atOnce, conventions } = await measureHandler();
console.log("\n| bundle, min + gzip | bytes | target |");
console.log("| --- | --- | --- |");
console.log(`| \`createGraphQLHandler\` | ${atOnce} | 45,700 |`);
console.log(`| what conventions load besides | ${conventions} | |`);

async function benchCase({ name, size, query, variables, target }: Case): Promise<string> {
  const contenders = createContenders({ ...NONE, ...size });
  await checkSameAnswer(contenders, query, variables);
  const { ours, common, peer, floor } = contenders;
  const times = await cpuTimes({
    ours: () => ours(query, variables),
    common: () => common(query, variables),
    peer: () => peer(query, variables),
    floor: () => floor(query, variables),
  });
  const ratios = [
    times.peer / times.ours,
    times.ours / times.floor,
    times.common / times.ours,
  ].map((ratio) => ratio.toFixed(2));
  return `| ${[name, `${times.ours.toFixed(3)} ms`, ...ratios, target].join(" | ")} |`;
}

/** How many times longer a request takes when there are ten times as many records. */
async function benchGrowth({ name, sizeOf, query }: GrowingCase): Promise<string> {
  const [small, large] = [1000, 10_000].map((count) =>
    createContenders({ ...NONE, ...sizeOf(count) })
  );
  if (small === undefined || large === undefined) return "";
  const times = await cpuTimes({
    small: () => small.ours(query),
    large: () => large.ours(query),
    smallFloor: () => small.floor(query),
    largeFloor: () => large.floor(query),
  });
  const growths = [times.large / times.small, times.largeFloor / times.smallFloor];
  return `| ${[name, ...growths.map((growth) => growth.toFixed(1)), "12"].join(" | ")} |`;
}

async function checkSameAnswer(
  { ours, common, peer, floor }: Contenders,
  query: string,
  variables?: Record<string, unknown>,
): Promise<void> {
  const [mine, ...others] = [ours, common, peer, floor].map((answer) => answer(query, variables));
  const text = async (answer: unknown) =>
    JSON.stringify(JSON.parse(JSON.stringify(await answer)).data);
  for (const other of others) {
    if (await text(mine) === await text(other)) continue;
    throw new Error(`Cannot compare "${query}": the answers differ`);
  }
}

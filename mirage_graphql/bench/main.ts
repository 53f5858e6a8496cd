import { version } from "graphql";
import { benchBuild } from "./build.ts";
import { AUTHORS, type Case, CASES, HAAKES, NONE, PAGE, PEOPLE, PETS } from "./cases.ts";
import { type Contenders, createContenders } from "./contenders.ts";
import { cpuTimes } from "./cpu_time.ts";
import type { Size } from "./data.ts";
import { measureHandler, MOST_BYTES } from "./size.ts";

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
    query: HAAKES,
  },
  { name: "union", sizeOf: (pets) => ({ pets }), query: PETS },
  {
    name: "parents x 10 children",
    sizeOf: (posts) => ({ authors: posts / 10, postsEach: 10 }),
    query: AUTHORS,
  },
  { name: "first: 20", sizeOf: (people) => ({ people }), query: PAGE },
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
const [main, core] = await Promise.all([measureHandler("handler"), measureHandler("core")]);
console.log("\n| bundle, min + gzip | bytes | target |");
console.log("| --- | --- | --- |");
console.log(`| \`createGraphQLHandler\` of the main entry | ${main} | ${MOST_BYTES.handler} |`);
console.log(`| that of \`./core\`, without dialects | ${core} | ${MOST_BYTES.core} |`);

async function benchCase({ name, size, query, variables, target }: Case): Promise<string> {
  const contenders = createContenders({ ...NONE, ...size });
  const body = JSON.stringify({ query, variables });
  await checkSameAnswer(contenders, body);
  const { ours, common, peer, floor } = contenders;
  const times = await cpuTimes({
    ours: () => ours(body),
    common: () => common(body),
    peer: () => peer(body),
    floor: () => floor(body),
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
  const body = JSON.stringify({ query });
  const times = await cpuTimes({
    small: () => small.ours(body),
    large: () => large.ours(body),
    smallFloor: () => small.floor(body),
    largeFloor: () => large.floor(body),
  });
  const growths = [times.large / times.small, times.largeFloor / times.smallFloor];
  return `| ${[name, ...growths.map((growth) => growth.toFixed(1)), "12"].join(" | ")} |`;
}

async function checkSameAnswer(
  { ours, common, peer, floor }: Contenders,
  body: string,
): Promise<void> {
  const [mine, ...others] = [ours, common, peer, floor].map((answer) => answer(body));
  const text = async (answer: unknown) =>
    JSON.stringify(JSON.parse(JSON.stringify(await answer)).data);
  for (const other of others) {
    if (await text(mine) === await text(other)) continue;
    throw new Error(`Cannot compare ${body}: the answers differ`);
  }
}

import { version } from "graphql";
import { type Case, CASES, NONE } from "../cases.ts";
import { cpuTimes } from "../cpu_time.ts";
import { peopleRows } from "../data.ts";
import { type Contender, createPeerContenders } from "./contenders.ts";

const NAMES = [
  "graphql-jit",
  "graphql-jit, Mirage",
  "graphql-js",
  "MSW",
  "@graphql-tools/mock",
  "@miragejs/graphql",
] as const;

/** The rows of the table, with the names of the requests that contain one of the texts, or all. */
export async function* speedTable(texts: readonly string[] = []): AsyncGenerator<string> {
  yield `Deno ${Deno.version.deno}, graphql ${version}, CPU time of one request; the others: times ours\n`;
  yield `| request | ours | ${NAMES.join(" | ")} |`;
  yield `| --- | --- | ${NAMES.map(() => "---").join(" | ")} |`;
  for (const one of CASES) {
    const isChosen = texts.length === 0 || texts.some((text) => one.name.includes(text));
    if (isChosen) yield* await measure(one);
  }
  yield "";
  yield* await measureObjects();
}

/** What the objects of a response cost alone: graphql-js's have no prototype, and neither do ours. */
async function measureObjects(): Promise<string[]> {
  const rows = peopleRows(1000);
  const { bare, literal } = await cpuTimes({
    bare: () =>
      rows.map(({ id, firstName, lastName, age }) => {
        const object = Object.setPrototypeOf({}, null);
        object.id = id;
        object.firstName = firstName;
        object.lastName = lastName;
        object.age = age;
        return object;
      }),
    literal: () =>
      rows.map(({ id, firstName, lastName, age }) => ({ id, firstName, lastName, age })),
  });
  const [bareText, literalText] = [bare, literal].map((time) => `${time.toFixed(4)} ms`);
  return [`1,000 objects alone: ${bareText} without a prototype, ${literalText} as literals`];
}

/** Two rows: up to what the route handler returns, and up to the text of the body. */
async function measure({ name, size, query, variables }: Case): Promise<string[]> {
  const contenders = await createPeerContenders({ ...NONE, ...size });
  const body = JSON.stringify({ query, variables });
  await checkSameAnswer(contenders, body);
  const values = await timesOf(contenders, ({ respond }) => respond && (() => respond(body)));
  const texts = await timesOf(contenders, ({ toText }) => () => toText(body));
  return [toRow(name, values), toRow(`${name}, as text`, texts)];
}

async function timesOf(
  contenders: ReadonlyMap<string, Contender>,
  callOf: (contender: Contender) => (() => unknown) | undefined,
): Promise<Readonly<Record<string, number>>> {
  return await cpuTimes(Object.fromEntries(
    [...contenders].flatMap(([name, contender]) => {
      const call = callOf(contender);
      return call === undefined ? [] : [[name, call]];
    }),
  ));
}

/** The time of ours, and how many times as long the others take. */
function toRow(name: string, times: Readonly<Record<string, number>>): string {
  const ours = times["mirage-graphql"] ?? NaN;
  const ratios = NAMES.map((peer) => {
    const time = times[peer];
    return time === undefined ? "" : (time / ours).toFixed(2);
  });
  return `| ${[name, `${ours.toFixed(4)} ms`, ...ratios].join(" | ")} |`;
}

async function checkSameAnswer(
  contenders: ReadonlyMap<string, Contender>,
  body: string,
): Promise<void> {
  const answers = new Map<string, string>();
  for (const [name, { toText }] of contenders) {
    answers.set(name, JSON.stringify(JSON.parse(await toText(body)).data));
  }
  const expected = answers.get("mirage-graphql");
  for (const [name, answer] of answers) {
    if (answer === expected) continue;
    throw new Error(`Cannot compare ${name}: it answers ${body} with ${answer.slice(0, 500)}`);
  }
}

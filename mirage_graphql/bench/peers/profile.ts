/**
 * Shows where the time of a request goes: the functions with the largest shares of a CPU profile,
 * for the first request whose name contains the argument.
 *
 *     deno run -A mirage_graphql/bench/peers/profile.ts "by id"
 */
import { Session } from "node:inspector/promises";
import { CASES, NONE } from "../cases.ts";
import { createOurs } from "../contenders.ts";

const WARM_MS = 2_000;
const PROFILED_MS = 5_000;
const MOST_ROWS = 25;

const [text = ""] = Deno.args;
const chosen = CASES.find(({ name }) => name.includes(text));
if (chosen === undefined) {
  throw new RangeError(`Cannot profile "${text}": no request has that name`);
}
const { name, size, query, variables } = chosen;
const respond = createOurs({ ...NONE, ...size });
const body = JSON.stringify({ query, variables });
await repeat(WARM_MS);
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.start");
const calls = await repeat(PROFILED_MS);
const { profile } = await session.post("Profiler.stop");
session.disconnect();

const shares = new Map<string, number>();
const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
for (const sample of profile.samples ?? []) {
  const { functionName = "", url = "", lineNumber = 0 } = frames.get(sample) ?? {};
  const key = `${functionName || "(closure)"} ${url.split("/").at(-1)}:${lineNumber + 1}`;
  shares.set(key, (shares.get(key) ?? 0) + 1);
}
const total = profile.samples?.length ?? 0;
console.log(`${name}: ${calls} requests in ${PROFILED_MS} ms\n`);
for (const [key, count] of [...shares].sort(([, a], [, b]) => b - a).slice(0, MOST_ROWS)) {
  console.log(`${(100 * count / total).toFixed(1).padStart(5)} %  ${key}`);
}

/** Repeats the request for a time, and returns how often. */
async function repeat(ms: number): Promise<number> {
  const end = performance.now() + ms;
  let count = 0;
  for (; performance.now() < end; count++) await respond(body);
  return count;
}

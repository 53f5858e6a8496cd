import { cpuUsage } from "node:process";

const ROUNDS = 9;
const ROUND_MS = 60;

/**
 * CPU time of one call of each contender, in ms: the median of rounds in which they alternate, so
 * that other load on the machine affects all of them alike.
 */
export async function cpuTimes<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const calls = new Map<Name, number>();
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (const name of names) calls.set(name, await callsInRound(contenders[name]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      times.get(name)?.push(await cpuTimeOf(contenders[name], calls.get(name) ?? 1));
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

async function callsInRound(call: () => unknown): Promise<number> {
  let calls = 1;
  for (;;) {
    const time = await cpuTimeOf(call, calls) * calls;
    if (time >= ROUND_MS || calls > 1e6) return calls;
    calls = Math.ceil(calls * Math.min(10, 1.2 * ROUND_MS / Math.max(time, 0.1)));
  }
}

async function cpuTimeOf(call: () => unknown, calls: number): Promise<number> {
  const start = cpuUsage();
  for (let index = 0; index < calls; index++) await call();
  const { user, system } = cpuUsage(start);
  return (user + system) / 1000 / calls;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

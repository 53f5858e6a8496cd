import { inTurns, median } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { startFloor } from "./floor/start_floor.ts";
import { Caller, toRequest } from "./load.ts";
import { start } from "./started.ts";

/** The permissions of `deno task start`, with which control groups are reached by a helper. */
const START_PERMISSIONS = ["read", "write", "run", "env", "net", "sys"]
  .map((name) => `--allow-${name}`);

const ROUNDS = 400;
/**
 * How many calls are sent one right after the other, as a client does that waits for each answer: while
 * calls and spawns take turns, a call has the time of a spawn to prepare the next one.
 */
const IN_A_ROW = 20;

/**
 * Compares `exec-command` of `true` over HTTP with a spawn of the same program by a small process
 * that does nothing else.
 */
export async function benchCommand(): Promise<Row[]> {
  await using server = await start("../main.ts", [], { MCP_PORT: "0" });
  await using loose = await start("../main.ts", [], { MCP_PORT: "0", MCP_CONTAINMENT: "off" });
  await using closed = await start("../main.ts", [], { MCP_PORT: "0" }, START_PERMISSIONS);
  using caller = await Caller.connect(server.url);
  using looseCaller = await Caller.connect(loose.url);
  using closedCaller = await Caller.connect(closed.url);
  const args = { commands: [{ command: "true" }] };
  const request = toRequest(server.url, "/api", { tool: "exec-command", args });
  const shell = ["bash", "-c", "--", "true"];
  await using detachedFloor = startFloor("./spawn.ts", ["detached", ...shell]);
  await using plainFloor = startFloor("./spawn.ts", ["plain", ...shell]);
  await using directFloor = startFloor("./spawn.ts", ["detached", "true"]);
  const [http = NaN, off = NaN, helped = NaN, detached = NaN, plain = NaN, direct = NaN] =
    await inTurns([
      () => caller.call(request),
      () => looseCaller.call(request),
      () => closedCaller.call(request),
      () => detachedFloor.measure(),
      () => plainFloor.measure(),
      () => directFloor.measure(),
    ], ROUNDS);
  const dense: number[] = [];
  const denseFloor: number[] = [];
  for (let round = 0; round < ROUNDS / IN_A_ROW; round++) {
    dense.push(...await inARow(() => caller.call(request)));
    denseFloor.push(...await inARow(() => detachedFloor.measure()));
  }
  return [
    { what: "`bash -c true`, bare detached spawn by a small process", value: ms(detached) },
    {
      what: "`exec-command` of `true` through HTTP / bare detached spawn, each in a row",
      value: ms(median(dense)),
      ratio: median(dense) / median(denseFloor),
      target: "at most 1.35",
    },
    {
      what: "... / the same, while both take turns",
      value: ms(http),
      ratio: http / detached,
    },
    {
      what: "... / the same with `MCP_CONTAINMENT=off`",
      value: ms(http),
      ratio: http / off,
      target: "at most 1.15",
    },
    {
      what: "... with the permissions of `deno task start` / `MCP_CONTAINMENT=off`",
      value: ms(helped),
      ratio: helped / off,
    },
    { what: "... / plain spawn", value: ms(http), ratio: http / plain },
    {
      what: "... / detached spawn of `true` without a shell",
      value: ms(http),
      ratio: http / direct,
    },
  ];
}

/** The times of some works, each right after the one before. */
async function inARow(work: () => Promise<number | void>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < IN_A_ROW) {
    const startedAt = performance.now();
    times.push(await work() ?? performance.now() - startedAt);
  }
  return times;
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`;
}

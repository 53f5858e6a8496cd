import { deepStrictEqual, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, newSeed, type Subject, type Surface } from "./surface.ts";

function surfaceOf(
  check: (input: number) => void | Promise<void>,
  rest: Partial<Subject<number>> = {},
  deadlineMs?: number,
): Surface {
  const subject = {
    inputs: fc.nat(10_000),
    check,
    [Symbol.asyncDispose]: () => Promise.resolve(),
    ...rest,
  };
  const open = () => Promise.resolve(subject);
  return defineSurface({
    name: "numbers",
    open,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
}

function refuseLarge(input: number): void {
  if (input >= 100) throw new RangeError("too large");
}

Deno.test("Surface.run() prints the smallest example, and the command that repeats it", async () => {
  const { found: [message = ""] } = await surfaceOf(refuseLarge).run({ runs: 200, seed: 7 });
  match(message, /Counterexample: \[100\]/);
  match(message, /too large/);
  const [, seed, path] = /deno task fuzz --seed=(\S+) --path (\S+) numbers/.exec(message) ?? [];
  const inputs: number[] = [];
  const again = surfaceOf((input) => {
    inputs.push(input);
    refuseLarge(input);
  });
  const { found } = await again.run({ runs: 200, seed: Number(seed), path });
  deepStrictEqual([inputs[0], found.length], [100, 1]);
});

Deno.test("Surface.run() sends its share of the inputs, the same ones for the same seed", async () => {
  const seed = newSeed();
  const inputsOf = async () => {
    const inputs: number[] = [];
    const { runs, found } = await surfaceOf((input) => void inputs.push(input)).run({
      runs: 30,
      seed,
    });
    deepStrictEqual([runs, found], [30, []]);
    return inputs;
  };
  deepStrictEqual(await inputsOf(), await inputsOf());
});

Deno.test("Surface.run() finds a rejection that nobody handles", async () => {
  const check = (input: number) => {
    if (input > 50) Promise.reject(new TypeError("nobody waits"));
  };
  const { found: [message = ""] } = await surfaceOf(check).run({ runs: 100, seed: 1 });
  match(message, /Unhandled: TypeError: nobody waits/);
});

Deno.test("Surface.run() finds an input without an end, and one that takes too long", async () => {
  const hangs = surfaceOf(() => new Promise(() => {}), {}, 20);
  const [first = ""] = (await hangs.run({ runs: 1, seed: 1 })).found;
  match(first, /timeout/i);
  const blocks = surfaceOf(
    () => {
      for (const start = performance.now(); performance.now() - start < 30;);
    },
    {},
    20,
  );
  ok((await blocks.run({ runs: 1, seed: 1 })).found.length > 0);
});

Deno.test("Surface.run() reports what is wrong at the end, and closes its subject", async () => {
  let isClosed = false;
  const surface = surfaceOf(() => {}, {
    end: () => Promise.resolve(["1 process is left"]),
    [Symbol.asyncDispose]: () => {
      isClosed = true;
      return Promise.resolve();
    },
  });
  const { found } = await surface.run({ runs: 1, seed: 1 });
  deepStrictEqual([found, isClosed], [["1 process is left"], true]);
});

Deno.test("Surface.run() reports the smallest example, too, if a crash leaves nothing to look at", async () => {
  const end = () => Promise.reject(new Error("it has crashed"));
  const { found } = await surfaceOf(refuseLarge, { end }).run({ runs: 200, seed: 7 });
  match(found[0] ?? "", /Counterexample: \[100\]/);
  match(found[1] ?? "", /it has crashed/);
});

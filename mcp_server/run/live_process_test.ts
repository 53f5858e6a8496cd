import { deepStrictEqual, rejects } from "node:assert/strict";
import { type LiveProcess, type Look, type RunMark, shareLooks } from "./live_process.ts";

const RUNS: readonly RunMark[] = [1, 2, 3, 4].map((group) => ({ id: `run ${group}`, group }));

/** A scan that the test answers, and the runs of each. */
function createHeldLook() {
  const asked: (readonly RunMark[])[] = [];
  const answers: PromiseWithResolvers<readonly LiveProcess[][]>[] = [];
  const look: Look = (runs) => {
    asked.push(runs);
    const answer = Promise.withResolvers<readonly LiveProcess[][]>();
    answers.push(answer);
    return answer.promise;
  };
  return { look, asked, answers };
}

const toFound = (runs: readonly RunMark[]) => runs.map(({ group }) => [{ pid: group, group }]);
const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("shareLooks() answers all requests during a scan with the one that follows it", async () => {
  const { look, asked, answers } = createHeldLook();
  const find = shareLooks(look);
  const [first, ...late] = RUNS;
  const finds = [find(first!)];
  await turn();
  finds.push(...late.map(find));
  await turn();
  deepStrictEqual(asked, [[first]]);

  answers[0]!.resolve(toFound([first!]));
  await turn();
  deepStrictEqual(asked, [[first], late]);

  answers[1]!.resolve(toFound(late));
  deepStrictEqual(await Promise.all(finds), toFound(RUNS));
});

Deno.test("shareLooks() scans again after a scan that failed", async () => {
  const { look, asked, answers } = createHeldLook();
  const find = shareLooks(look);
  const failing = find(RUNS[0]!);
  await turn();
  answers[0]!.reject(new Error("no /proc"));
  await rejects(failing, /no \/proc/);

  const next = find(RUNS[1]!);
  await turn();
  answers[1]!.resolve(toFound([RUNS[1]!]));
  deepStrictEqual(await next, [{ pid: 2, group: 2 }]);
  deepStrictEqual(asked, [[RUNS[0]], [RUNS[1]]]);
});

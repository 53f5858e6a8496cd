import type { Step, StepObserver, StepResult } from "./run_steps.ts";

const RESULT = /\.\.\. (ok|FAILED)\b/g;

/** Shows what a run does while it does it: a line a step, and on a terminal what runs just now. */
export class Progress implements StepObserver {
  readonly #write: (text: string) => void;
  readonly #columns: (() => number) | undefined;
  readonly #running = new Map<Step, { passed: number; failed: number; begun: number }>();

  /** With `columns`, those of a terminal, the last line is drawn again and again. */
  constructor(write: (text: string) => void, options: { columns?: (() => number) | undefined }) {
    this.#write = write;
    this.#columns = options.columns;
  }

  started(step: Step): void {
    this.#running.set(step, { passed: 0, failed: 0, begun: performance.now() });
    this.draw();
  }

  /** Counts the results in what a step prints. */
  printed(step: Step, text: string): void {
    const counts = this.#running.get(step);
    if (counts === undefined) return;
    for (const [, outcome] of text.matchAll(RESULT)) {
      counts[outcome === "ok" ? "passed" : "failed"]++;
    }
  }

  /** Writes the line of a step, and what failed in it. */
  ended(result: StepResult): void {
    this.#running.delete(result.step);
    const { tally, step, from, seconds } = result;
    const counts = `${tally.passed.toLocaleString("en")} passed, ${tally.failed} failed`;
    const time = `${seconds.toFixed(1).padStart(7)} s from ${from.toFixed(0).padStart(4)} s`;
    this.#line(`${step.name.padEnd(32)} ${counts.padStart(24)} ${time}\n`);
    if (tally.failed > 0) this.#line(failureText(result));
    this.draw();
  }

  /** Draws what runs just now, on a terminal. */
  draw(): void {
    if (this.#columns === undefined) return;
    const parts = [...this.#running].map(([{ name }, { passed, failed, begun }]) => {
      const seconds = Math.round((performance.now() - begun) / 1_000);
      return `${name}: ${passed}${failed > 0 ? `, ${failed} failed` : ""}, ${seconds} s`;
    });
    this.#line(parts.join(" | ").slice(0, this.#columns() - 1));
  }

  #line(text: string): void {
    this.#write(this.#columns === undefined ? text : `\r\x1b[K${text}`);
  }
}

/** How many lines of a failure without a list of errors are shown. */
const LAST_LINES = 100;

/** The errors of a step, and for each test that failed the command that runs it alone. */
export function failureText({ step, cases, output }: StepResult): string {
  const errors = output.lastIndexOf("\n ERRORS \n");
  const lines = errors === -1
    ? output.trimEnd().split("\n").slice(-LAST_LINES)
    : output.slice(errors, output.indexOf("\n FAILURES \n", errors)).trim().split("\n");
  const failed = cases.filter(({ outcome, isStep }) => outcome === "failed" && !isStep);
  const again = failed.map(({ file, name }) =>
    `  deno task test ${file} --filter ${quoted(name)}\n`
  );
  const title = `\n--- ${step.name}: deno ${step.args.slice(0, 8).join(" ")}\n\n`;
  const alone = again.length === 0 ? "" : `\nTo run what failed alone:\n${again.join("")}`;
  return `${title}${lines.join("\n")}\n${alone}\n`;
}

function quoted(name: string): string {
  return `'${name.replaceAll("'", "'\\''")}'`;
}

/** One row of the table that a benchmark prints. */
export interface Row {
  readonly what: string;
  readonly value: string;
  readonly ratio?: number;
  readonly target?: string;
}

/** Prints rows as a table for a README, below the versions that they were measured with. */
export function printTable(rows: readonly Row[], versions: readonly string[] = []): void {
  const machine = [`Deno ${Deno.version.deno}`, `${navigator.hardwareConcurrency} cores`];
  console.log(`\n${[...machine, ...versions].join(", ")}\n`);
  console.log("| measured side by side in one run | median | ratio | target |");
  console.log("| --- | --- | --- | --- |");
  for (const { what, value, ratio, target } of rows) {
    console.log(`| ${what} | ${value} | ${ratio?.toFixed(2) ?? ""} | ${target ?? ""} |`);
  }
}

/** What became of a number of tests and checks. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Names of those that did not run. */
  readonly skipped: readonly string[];
}

/** The tally of one check. */
export function tallyOf(ok: boolean): Tally {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] };
}

/** Adds tallies up. */
export function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
    skipped: tallies.flatMap(({ skipped }) => skipped),
  };
}

/** The closing line of a run. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  const rest = skipped.length === 0 ? "" : `, ${skipped.length} skipped`;
  return `${passed} passed, ${failed} failed${rest}`;
}

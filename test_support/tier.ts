/** The environment variable that a run of all tests sets to `1`. */
export const ALL_TESTS = "TRESTLE_ALL_TESTS";

/** Whether all tests run (`deno task test --all`), not only those of every day. */
export const isWholeRun: boolean = Deno.env.get(ALL_TESTS) === "1";

/** How often a test repeats what it does: `few` times every day, `many` times if all tests run. */
export function times(few: number, many: number): number {
  return isWholeRun ? many : few;
}

import { Session } from "node:inspector/promises";
import { pathIn } from "../module_graph.ts";
import { ROOT } from "../../test_support/root.ts";

/**
 * Resolves with the files of the repository whose functions a piece of code calls, as paths from the
 * root. V8 counts the calls; loading a module does not count.
 */
export async function filesRun(code: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  try {
    await session.post("Profiler.takePreciseCoverage");
    await code();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const called = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges: [range] }) =>
        range !== undefined && range.count > 0 && (functionName !== "" || range.startOffset > 0)
      )
    );
    return new Set(called.flatMap(({ url }) => pathIn(ROOT, url) ?? []));
  } finally {
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}

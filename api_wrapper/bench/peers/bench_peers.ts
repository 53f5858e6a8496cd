import type { CDPSession, Page } from "playwright-core";
import { bundle } from "../../../test_support/browser/bundle.ts";
import { launchChromium } from "../../../test_support/browser/launch_chromium.ts";
import { servePage } from "../../../test_support/browser/serve_page.ts";
import { median } from "../../../test_support/bench/in_turns.ts";
import { createHeldSite } from "./held_site.ts";
import type { BenchPage } from "./page.ts";

declare const bench: BenchPage;

const CALLS = 300;
/** Rounds that are measured, after one that warms up. */
export const ROUNDS = 15;
/** Calls whose heap is measured, after as many that warm up. */
export const HEAP_CALLS = 10_000;

/** What a page in Chromium measured of each library. */
export interface PeerFigures {
  readonly names: readonly string[];
  readonly chromium: string;
  /** Microseconds of processor time for each call, as the median of the rounds. */
  readonly cpu: readonly number[];
  /** Bytes of heap for each of 10,000 calls for different ids, while the component is there. */
  readonly heap: readonly number[];
  readonly behaviors: readonly (readonly [what: string, ...holds: boolean[]])[];
}

/** Compares libraries for Vue in one page of Chromium, against a site on the loopback interface. */
export async function benchPeers(): Promise<PeerFigures> {
  const script = await bundle(new URL("./page.ts", import.meta.url), { minify: true });
  await using site = servePage(script, { handle: createHeldSite() });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(site.url);
    const names = await page.evaluate(() => bench.names());
    const behaviors = await page.evaluate(() => bench.behaviors());
    return {
      names,
      chromium: browser.version(),
      behaviors,
      cpu: await measureCpu(page, session, names),
      heap: await measureHeap(page, session, names),
    };
  } finally {
    await browser.close();
  }
}

/** The medians of rounds in which the libraries take turns. */
async function measureCpu(
  page: Page,
  session: CDPSession,
  names: readonly string[],
): Promise<number[]> {
  const times = names.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at] of names.entries()) {
      await page.evaluate((at) => bench.mount(at), at);
      const before = await cpuOf(session);
      await page.evaluate((calls) => bench.call(calls), CALLS);
      const micros = (await cpuOf(session) - before) * 1_000_000 / CALLS;
      if (round > 0) times[at]?.push(micros);
      await page.evaluate(() => bench.unmount());
    }
  }
  return times.map(median);
}

/** Processor time of the page's main thread, in seconds. */
async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN;
}

async function measureHeap(
  page: Page,
  session: CDPSession,
  names: readonly string[],
): Promise<number[]> {
  const growth: number[] = [];
  for (const [at] of names.entries()) {
    await page.evaluate((at) => bench.mount(at), at);
    await page.evaluate((calls) => bench.call(calls), HEAP_CALLS);
    const before = await heapOf(session);
    await page.evaluate((calls) => bench.call(calls), HEAP_CALLS);
    growth.push((await heapOf(session) - before) / HEAP_CALLS);
    await page.evaluate(() => bench.unmount());
  }
  return growth;
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}

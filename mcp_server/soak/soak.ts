import { untilAborted, within } from "../shared/concurrency.ts";
import { findByMark } from "../testing/test_runner.ts";
import { type ApiClient, createApiClient } from "./clients/api_client.ts";
import { type SoakFigures, SPARE_DESCRIPTORS } from "./report.ts";
import { prepareFiles } from "./scenarios/known_calls.ts";
import type { Scenario, ScenarioParts } from "./scenarios/scenario.ts";
import {
  askIdle,
  endlessProcesses,
  type IdleServer,
  killLeft,
  readLeftovers,
} from "./server/leftovers.ts";
import { memorySlope, type Sample, type ServerWatch, watchServer } from "./server/server_watch.ts";
import { startFleet } from "./server/fleet_servers.ts";
import { startSoakServer } from "./server/soak_server.ts";
import { type Services, startServices } from "./services.ts";
import { Tally } from "./tally.ts";
import { INTERRUPTED } from "./schedule.ts";
import { waitFor } from "./waiting.ts";
import { allScenarios, openTraffic, type Traffic } from "./traffic.ts";

/** How long the traffic lasts, and what it is made of. */
export interface SoakOptions {
  readonly ms: number;
  readonly seed: number;
  /** Concurrent scenarios. @default {6} */
  readonly parallel?: number;
  /** Creates the scenarios. @default {all scenarios} */
  readonly scenarios?: (parts: ScenarioParts) => readonly Scenario[];
  /** Whether the tool, the callers file and the audit file change. @default {true} */
  readonly changes?: boolean;
  /** Whether two more servers share their jobs, if there is PostgreSQL. @default {true} */
  readonly hasFleet?: boolean;
  /** How long a client may pause in sending or reading, in ms. @default {10_000} */
  readonly clientMs?: number;
  /** How long processes and jobs may outlive the traffic, in ms. @default {15_000} */
  readonly settleMs?: number;
  /** Ends everything when it aborts: the soak rejects with the reason once nothing is left of it. */
  readonly signal?: AbortSignal;
  /** Counts the calls. @default {a new one} */
  readonly tally?: Tally;
  /** Called with the figures so far every minute, and with what is wrong at once. */
  readonly onProgress?: (text: string) => void;
}

const PROGRESS_MS = 60_000;
/** A server stops its commands within 4 s if the machine is not otherwise busy. */
const SETTLE_MS = 15_000;
const DESCRIPTORS_MS = 5_000;

/**
 * Starts servers, sends them mixed traffic over every transport, and measures what is left. However it
 * ends, it leaves neither a process nor a folder.
 */
export async function soak(options: SoakOptions): Promise<SoakFigures> {
  const { ms, clientMs = 10_000, settleMs = SETTLE_MS, onProgress = () => {} } = options;
  const { tally = new Tally((what) => onProgress(`wrong: ${what}`)) } = options;
  const { signal = new AbortController().signal } = options;
  await using services = await startServices();
  let running = Promise.resolve();
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    // Scenarios that were running may still start processes.
    await waitFor(() => killLeft(services, []).length === 0, settleMs);
    await within(running.catch(() => {}), settleMs);
    await waitFor(() => killLeft(services, []).length === 0, settleMs);
  });
  await prepareFiles(services.files);
  signal.throwIfAborted();
  await using server = await startSoakServer(services, clientMs);
  await using fleet = options.hasFleet === false ? undefined : await startFleet(services);
  const api = createApiClient(server.process.url);
  const apis = [api, ...(fleet === undefined ? [] : [fleet.first, fleet.second])];
  const more = fleet === undefined ? {} : { fleet };
  const measured = await withTraffic(
    openTraffic(services, server, {
      scenarios: allScenarios,
      ...WHOLE,
      ...options,
      ...more,
      tally,
    }),
    async (traffic) => {
      // What is loaded or connected only once is not a leak.
      await untilAborted(running = traffic.warmUp(), signal);
      using watch = watchServer(server.process.pid);
      using fleetWatch = fleet && watchServer(fleet.pid);
      using _progress = reportEveryMinute(tally, watch, onProgress);
      await untilAborted(running = traffic.run(), signal);
      if (tally.events[INTERRUPTED] !== undefined) await cancelJobs(api);
      const idle = await becomeIdle(services, { apis, settleMs });
      const fleetSamples = fleetWatch && { fleetSamples: await lastSample(fleetWatch) };
      return { idle, samples: await lastSample(watch), ...fleetSamples };
    },
  );
  const endless = endlessProcesses(services);
  const [exitCode] = await Promise.all([server.process.stop(), fleet?.stop()]);
  await waitFor(() => findByMark(services.mark).length === 0, settleMs);
  return {
    ...measured,
    seconds: ms / 1_000,
    tally,
    slope: memorySlope(measured.samples),
    processesLeft: killLeft(services, endless),
    exitCode,
    ...await readLeftovers(services, server, fleet),
  };
}

const WHOLE = { parallel: 6, changes: true };

/** Disconnects the clients after their use. */
async function withTraffic<Result>(
  traffic: Traffic,
  use: (traffic: Traffic) => Promise<Result>,
): Promise<Result> {
  await using used = traffic;
  return await use(used);
}

/** Waits until nothing runs anymore, and reports what still does. */
async function becomeIdle(
  services: Services,
  { apis, settleMs }: { readonly apis: readonly ApiClient[]; readonly settleMs: number },
): Promise<IdleServer> {
  await waitFor(() => endlessProcesses(services).length === 0, settleMs);
  let idle = await askIdle(apis, services);
  await waitFor(async () => {
    idle = await askIdle(apis, services);
    return idle.jobs + idle.commands + idle.statements === 0;
  }, settleMs);
  return idle;
}

/** Takes the last sample once the server has closed the connections of clients that are gone. */
async function lastSample(watch: ServerWatch): Promise<readonly Sample[]> {
  const most = (watch.samples[0]?.descriptors ?? 0) + SPARE_DESCRIPTORS;
  await waitFor(() => watch.now().descriptors <= most, DESCRIPTORS_MS);
  watch.sample();
  return [...watch.samples];
}

/** Cancels the jobs of scenarios that were interrupted before they could. */
async function cancelJobs(api: ApiClient): Promise<void> {
  const caller = "default";
  for (const state of ["queued", "running"]) {
    const { body } = await api.ask(`/api/jobs?state=${state}`, { caller });
    for (const { id } of Array.isArray(body.jobs) ? body.jobs : []) {
      await api.ask(`/api/jobs/${id}/cancel`, { method: "POST", caller });
    }
  }
}

/** Reports every minute, until disposal. */
function reportEveryMinute(
  tally: Tally,
  { samples }: ServerWatch,
  report: (text: string) => void,
): Disposable {
  const timer = setInterval(() => {
    const { memory = 0, descriptors = 0 } = samples.at(-1) ?? {};
    const uses = `${memory.toFixed(0)} MiB, ${descriptors} descriptors`;
    report(`${tally.calls} calls, ${tally.wrongCount} wrong, ${uses}`);
  }, PROGRESS_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

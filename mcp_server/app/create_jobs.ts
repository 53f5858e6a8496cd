import type { CallDispatcher } from "../calls/call_dispatcher.ts";
import type { ServerMeter } from "../calls/server_meter.ts";
import { JobManager } from "../jobs/job_manager.ts";
import { isFleet, type Messages } from "../jobs/job_store.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import { AllServers } from "../servers/all_servers.ts";
import { LocalServer } from "../servers/local_server.ts";
import type { Config } from "../settings/config.ts";
import type { ServerIdentity } from "../tool/job.ts";
import type { Access } from "./open_access.ts";
import { openJobStore } from "./open_job_store.ts";
import type { Logs } from "./open_logs.ts";

/** What jobs and the view of all servers are made of. */
interface JobsParts {
  readonly dispatcher: CallDispatcher;
  readonly runner: CommandRunnerPool;
  readonly meter: ServerMeter;
  readonly logs: Logs;
  readonly access: Access;
  readonly identity: ServerIdentity;
}

/**
 * Creates what runs jobs. Once its store is open, and if servers share that, `onShared()` is called with
 * what they reach each other by.
 */
export function createJobs(
  config: Config,
  { dispatcher, runner, meter, logs, access, identity }: JobsParts,
  onShared: (messages: Messages) => void,
): JobManager {
  const { redact } = logs;
  const { secretsOf } = access;
  return new JobManager({
    dispatcher,
    pool: runner,
    limits: config.limits,
    log: logs.log,
    redact: secretsOf === undefined ? redact : (text, caller) => {
      const redacted = redact(text);
      return secretsOf(caller).mask?.text(redacted) ?? redacted;
    },
    meter,
    identity,
    callerOf: access.callerOf,
    currentOf: access.currentOf,
    isShared: config.jobs !== undefined,
    openStore: async () => {
      const store = await openJobStore(config, identity, runner);
      logs.history.keepIn(store, logs.log, isFleet(store) ? identity.name : undefined);
      if (isFleet(store)) onShared(store);
      return store;
    },
  });
}

/** Creates the view of all servers that share the jobs; it answers them once it has joined them. */
export function createFleet(
  config: Config,
  { dispatcher, runner, meter, logs, access, identity }: JobsParts,
  manager: JobManager,
): AllServers {
  const local = new LocalServer({
    identity,
    calls: dispatcher.running,
    approvals: dispatcher.approvals,
    service: dispatcher,
    meter,
    history: logs.history,
    load: () => runner.load(),
    jobs: manager,
    countJobs: () => manager.counts(),
    callerOf: access.callerOf,
  });
  const openStore = config.jobs === undefined ? undefined : () => manager.store();
  return new AllServers({ local, openStore, log: logs.log });
}

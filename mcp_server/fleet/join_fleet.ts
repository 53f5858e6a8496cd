import { firstOf } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import { JobSetupError } from "../tool/job.ts";
import type { Log } from "../shared/log.ts";
import type { JobManager } from "../jobs/job_manager.ts";

/** How soon a server without PostgreSQL tries again to join its fleet. */
const JOIN_MS = 2_000;

/** The name of the host, as far as it is a valid name of a server. */
export function hostName(): string {
  return Deno.hostname().replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[._-]+/, "").slice(0, 63) ||
    "server";
}

/**
 * Opens the store that servers share, so that this one takes jobs. Without PostgreSQL it starts all the
 * same, and tries again until it is there; but rejects with a `JobSetupError` if the tables are
 * missing and the server may not create them.
 */
export async function joinFleet(jobs: Pick<JobManager, "store">, log: Log): Promise<Disposable> {
  const closed = new AbortController();
  const isJoined = async () => {
    try {
      return await jobs.store() !== undefined;
    } catch (error) {
      if (closed.signal.aborted) return true;
      log.warn("jobs can't be kept", { reason: messageOf(error) });
      if (error instanceof JobSetupError) throw error;
      return false;
    }
  };
  const goOn = async () => {
    do {
      using pause = firstOf({ signal: closed.signal, timeoutMs: JOIN_MS });
      await pause.expired;
    } while (!closed.signal.aborted && !await isJoined().catch(() => false));
  };
  if (!await isJoined()) void goOn();
  return { [Symbol.dispose]: () => closed.abort() };
}

import type { Statement } from "../jobs/sql.ts";
import { ANY_ROUTE } from "../tool/job.ts";
import { Listeners } from "../jobs/sql_store.ts";
import type { PostgresChanges } from "./postgres_changes.ts";

/** How many servers are woken for a new job: a second one, as the first may be gone or have no room. */
const WOKEN = 2;
/** How often at most a server without room has all others woken, in milliseconds. */
const PASS_ON_MS = 1_000;

/**
 * The queues in which jobs may wait for this server, and whom a new job wakes: if all servers looked for
 * each job, most would find nothing, and keep PostgreSQL from those that do. So it is two of those that
 * have least to do. One of them that has no room after all wakes the others; and each server looks every
 * few seconds in any case, so a job whose notification got lost is late, and not lost.
 */
export class WaitingWork {
  readonly #changes: PostgresChanges;
  readonly #routes: readonly string[];
  readonly #waiting: Set<string>;
  /** Queues for whose jobs this server was chosen, and has not looked yet. */
  readonly #chosen = new Set<string>();
  readonly #listeners = new Listeners<void>();
  readonly #listening: Disposable;
  #passedOnAt = -Infinity;

  /** Begins with all queues from which a server takes jobs: some may wait already. */
  constructor(changes: PostgresChanges, routes: readonly string[]) {
    this.#changes = changes;
    this.#routes = routes;
    this.#waiting = new Set(routes);
    this.#listening = changes.onWork(({ route, isChosen }) => this.#hear(route, isChosen));
  }

  /** Calls back if there may be work, until disposed of. */
  listen(listener: () => void): Disposable {
    return this.#listeners.add(listener);
  }

  /** Whether jobs may wait in a queue; from now on, none do. */
  take(route: string): boolean {
    this.#chosen.delete(route);
    return this.#waiting.delete(route);
  }

  /** Says that jobs may wait in some queues. */
  add(...routes: readonly string[]): void {
    for (const route of routes) this.#waiting.add(route);
  }

  /** Wakes all for the jobs for which this server was chosen, as it has no room; now and then only. */
  passOn(): Statement[] {
    const now = performance.now();
    if (this.#chosen.size === 0 || now - this.#passedOnAt < PASS_ON_MS) return [];
    this.#passedOnAt = now;
    const routes = [...this.#chosen];
    this.#chosen.clear();
    return routes.map((route) => this.#changes.notify("work", route));
  }

  /** Wakes servers for a job in a queue, with the transaction that sends it. */
  wake(route: string): Statement {
    const [notify, channel, payload] = this.#changes.notify("work", route);
    const [kind = "", word = ""] = route === ANY_ROUTE ? [] : route.split(/\.(.*)/s);
    // Without a server that could take it, all are notified: one may have just come.
    return [
      `${notify?.replace("$2", "$2 || coalesce(' ' || chosen, '')")} FROM (` +
      "SELECT string_agg(id::text, ',') AS chosen FROM (SELECT id FROM ~server " +
      "WHERE left_jobs IS NULL AND lease_until > now() AND NOT draining AND CASE $3 " +
      "WHEN 'name' THEN name = $4 WHEN 'label' THEN $4 = ANY (labels) ELSE true END " +
      `ORDER BY runs + queue, random() LIMIT ${WOKEN}) AS candidates) AS found`,
      channel,
      payload,
      kind,
      word,
    ];
  }

  /** Listens no longer. */
  close(): void {
    this.#listening[Symbol.dispose]();
  }

  #hear(route: string | undefined, isChosen: boolean): void {
    const routes = this.#routes.filter((own) => route === undefined || own === route);
    this.add(...routes);
    if (isChosen) { for (const own of routes) this.#chosen.add(own); }
    if (routes.length > 0) this.#listeners.report();
  }
}

import { type FleetServer, JobError, type ServerIdentity } from "../tool/job.ts";
import type { GoneServer, Peer } from "../jobs/job_store.ts";
import { sql, type Work } from "../jobs/sql.ts";
import type { PostgresDatabase, Transaction } from "./postgres_database.ts";

/** A server, and where its processes are. */
export interface ServerPlace extends ServerIdentity {
  /** The servers of one machine end what another one left. */
  readonly machine: string;
}

/** A server without a lease is gone; the others find that out within so many seconds. */
const LEASE_SECONDS = 12;
/** How often a lease is renewed, and how soon again if that failed. */
const RENEW_MS = { usual: 4_000, failed: 1_000 };
/** How long the row of a server that is gone is kept for servers of its machine. */
const KEPT = "7 days";

/** Keeps a server with a lease from being taken for gone during a transaction. */
export const HELD_SERVER = "SELECT FROM ~server WHERE id = $1 AND left_jobs IS NULL FOR KEY SHARE";

/**
 * This server and the others in the store. Each has a lease, which it renews; one whose lease ran out
 * is gone. After an outage of PostgreSQL, everybody has the time of a lease to renew before anybody is
 * taken for gone.
 */
export class PostgresServers {
  readonly #database: PostgresDatabase;
  readonly #identity: ServerPlace;
  readonly #load: () => FleetServer["load"];
  readonly #onLost: () => void;
  #own = crypto.randomUUID();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when every renewal succeeded. */
  #steadySince = Infinity;
  #renewing: Promise<void> = Promise.resolve();
  #isDraining = false;
  #isClosed = false;

  /** Calls `onLost()` if the lease has run out, and another server marked the jobs here as lost. */
  constructor(
    database: PostgresDatabase,
    identity: ServerPlace,
    load: () => FleetServer["load"],
    onLost: () => void,
  ) {
    this.#database = database;
    this.#identity = identity;
    this.#load = load;
    this.#onLost = onLost;
  }

  /** Identity of this server, until its lease is lost. */
  get own(): string {
    return this.#own;
  }

  /** Registers this server, and renews its lease from now on. */
  async register(): Promise<void> {
    await this.#insert(this.#own);
    this.#steadySince = performance.now();
    this.#plan(RENEW_MS.usual);
  }

  /** Tells the other servers that this one takes no more jobs. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    clearTimeout(this.#timer);
    this.#renewing = this.#renewing.then(() => this.#renew());
  }

  /**
   * Keeps this server from being taken for gone during a transaction, in which it takes a job; returns
   * its identity. Throws if it was already.
   */
  *hold(): Work<string> {
    const own = this.#own;
    const held = yield sql(HELD_SERVER, own);
    if (held.length === 1) return own;
    throw new JobError("Cannot keep jobs in PostgreSQL: this server lost its lease; try again", {
      code: "JOBS_UNAVAILABLE",
    });
  }

  /** Takes the servers whose lease ran out, one after another; within a transaction for each. */
  async reap(loseJobs: (tx: Transaction, server: string) => Promise<string[]>): Promise<boolean> {
    if (performance.now() - this.#steadySince < 1_000 * LEASE_SECONDS) return false;
    let reaped = 0;
    while (await this.#database.transaction((tx) => this.#reapOne(tx, loseJobs))) reaped++;
    return reaped > 0;
  }

  /** The servers of this machine that are gone. */
  async gone(): Promise<GoneServer[]> {
    const rows = await this.#database.query(
      "SELECT id, left_jobs FROM ~server WHERE machine = $1 AND left_jobs IS NOT NULL",
      [this.#identity.machine],
    );
    return rows.map(({ id, left_jobs: begun }) => ({
      server: String(id),
      begun: Array.isArray(begun) ? begun.map(String) : [],
    }));
  }

  /** The other servers whose lease runs. */
  async others(): Promise<Peer[]> {
    const rows = await this.#database.query(
      "SELECT id, name FROM ~server WHERE left_jobs IS NULL AND lease_until > now() " +
        "AND id <> $1 ORDER BY name, id LIMIT 10000",
      [this.#own],
    );
    return rows.map(({ id, name }) => ({ id: String(id), name: String(name) }));
  }

  /** The servers whose lease runs. */
  async alive(): Promise<FleetServer[]> {
    const rows = await this.#database.query(
      "SELECT name, labels, version, draining, runs, queue, seen FROM ~server " +
        "WHERE left_jobs IS NULL AND lease_until > now() ORDER BY name, id LIMIT 10000",
    );
    return rows.map(({ name, labels, version, draining, runs, queue, seen }) => ({
      name: String(name),
      labels: Array.isArray(labels) ? labels.map(String) : [],
      version: String(version),
      state: draining === true ? "draining" : "ready",
      load: { runs: Number(runs), queue: Number(queue) },
      lastHeartbeat: seen instanceof Date ? seen.toISOString() : String(seen),
    }));
  }

  /** Removes a server that is gone. */
  async forget(server: string): Promise<void> {
    await this.#database.query("DELETE FROM ~server WHERE id = $1", [server]);
  }

  /** Removes servers of machines that did not return. */
  async forgetOld(): Promise<void> {
    await this.#database.query(
      `DELETE FROM ~server WHERE left_jobs IS NOT NULL AND seen < now() - interval '${KEPT}'`,
    );
  }

  /** Removes this server, unless it has live jobs: they are lost once its lease has run out. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#renewing;
    await this.#database.query(
      "DELETE FROM ~server WHERE id = $1 AND left_jobs IS NULL AND NOT EXISTS " +
        "(SELECT FROM ~job WHERE server = $1 AND ended IS NULL)",
      [this.#own],
    );
  }

  async #insert(id: string): Promise<void> {
    const { name, labels, version, machine } = this.#identity;
    await this.#database.query(
      "INSERT INTO ~server (id, name, labels, version, machine, draining, lease_until) " +
        `VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${LEASE_SECONDS} s')`,
      [id, name, labels, version, machine, this.#isDraining],
    );
  }

  #plan(inMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#renewing = this.#renew(), inMs);
    Deno.unrefTimer(Number(this.#timer));
  }

  async #renew(): Promise<void> {
    const { runs, queue } = this.#load();
    try {
      const renewed = await this.#database.query(
        `UPDATE ~server SET lease_until = now() + interval '${LEASE_SECONDS} s', seen = now(), ` +
          "runs = $2, queue = $3, draining = $4 WHERE id = $1 AND left_jobs IS NULL RETURNING 1",
        [this.#own, runs, queue, this.#isDraining],
      );
      if (renewed.length === 0) await this.#beginAnew();
      if (this.#steadySince === Infinity) this.#steadySince = performance.now();
      this.#plan(RENEW_MS.usual);
    } catch {
      // Who uses the store reports why it fails.
      this.#steadySince = Infinity;
      this.#plan(RENEW_MS.failed);
    }
  }

  /** What still runs for the old identity can't write anymore. */
  async #beginAnew(): Promise<void> {
    this.#onLost();
    const next = crypto.randomUUID();
    await this.#insert(next);
    this.#own = next;
  }

  async #reapOne(
    tx: Transaction,
    loseJobs: (tx: Transaction, server: string) => Promise<string[]>,
  ): Promise<boolean> {
    const [row] = await tx.query(
      "SELECT id FROM ~server AS gone WHERE left_jobs IS NULL AND lease_until < now() AND id <> $1 " +
        "AND EXISTS (SELECT FROM ~server WHERE id = $1 AND lease_until > now()) " +
        `AND pg_postmaster_start_time() < now() - interval '${LEASE_SECONDS} s' ` +
        "LIMIT 1 FOR UPDATE OF gone SKIP LOCKED",
      [this.#own],
    );
    if (row === undefined) return false;
    const server = String(row.id);
    const left = await loseJobs(tx, server);
    await tx.query("UPDATE ~server SET left_jobs = $2 WHERE id = $1", [server, left]);
    return true;
  }
}

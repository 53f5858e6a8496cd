/** The streams by their number in the table `output`. */
export const STREAMS = Object.freeze({ stdout: 1, stderr: 2 });

/**
 * The tables, as the changes from each version to the next one. Times are in milliseconds since
 * 1970, but for those that servers compare with each other, which are of PostgreSQL's clock.
 * JSON is text, because `jsonb` has no U+0000.
 */
export const MIGRATIONS: readonly string[] = Object.freeze([
  `
  CREATE TABLE ~server (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    labels text[] NOT NULL,
    version text NOT NULL,
    machine text NOT NULL,
    runs integer NOT NULL DEFAULT 0,
    queue integer NOT NULL DEFAULT 0,
    seen timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz NOT NULL,
    left_jobs text[]
  );
  CREATE TABLE ~job (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    server uuid,
    server_name text,
    attempt integer NOT NULL DEFAULT 1,
    retries integer NOT NULL DEFAULT 0,
    route text,
    caller text NOT NULL,
    tool text NOT NULL,
    state text NOT NULL,
    stdin boolean NOT NULL,
    created bigint NOT NULL,
    started bigint,
    ended bigint,
    expires bigint,
    output_bytes bigint NOT NULL,
    stdout bigint NOT NULL DEFAULT 0,
    stderr bigint NOT NULL DEFAULT 0,
    events integer NOT NULL DEFAULT 0,
    error text,
    idempotency_key text,
    digest text
  );
  CREATE INDEX job_of_caller ON ~job (caller, seq);
  CREATE UNIQUE INDEX job_of_key ON ~job (caller, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
  CREATE INDEX live_job ON ~job (server) WHERE ended IS NULL;
  CREATE INDEX ended_job ON ~job (ended) WHERE ended IS NOT NULL;
  CREATE INDEX expiring_job ON ~job (expires) WHERE ended IS NOT NULL;
  CREATE TABLE ~call (
    job bigint PRIMARY KEY REFERENCES ~job ON DELETE CASCADE,
    call text NOT NULL
  );
  CREATE TABLE ~outcome (
    job bigint PRIMARY KEY REFERENCES ~job ON DELETE CASCADE,
    outcome text NOT NULL
  );
  CREATE TABLE ~output (
    job bigint NOT NULL REFERENCES ~job ON DELETE CASCADE,
    stream smallint NOT NULL,
    start bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (job, stream, start)
  );
  CREATE TABLE ~journal (
    job bigint NOT NULL REFERENCES ~job ON DELETE CASCADE,
    number integer NOT NULL,
    stdout bigint NOT NULL,
    stderr bigint NOT NULL,
    entry text NOT NULL,
    PRIMARY KEY (job, number)
  );
  CREATE TABLE ~command (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job bigint NOT NULL REFERENCES ~job ON DELETE CASCADE,
    kind text NOT NULL,
    bytes bytea
  );
  CREATE INDEX command_of_job ON ~command (job);
`,
  `
  ALTER TABLE ~server ADD COLUMN draining boolean NOT NULL DEFAULT false;
`,
  `
  ALTER TABLE ~job ADD COLUMN ending text;
`,
]);

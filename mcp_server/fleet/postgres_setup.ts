import { JobError, JobSetupError } from "../tool/job.ts";
import { type PostgresDatabase, type Queryable, sqlStateOf } from "./postgres_database.ts";
import { MIGRATIONS } from "./postgres_schema.ts";

/** The schema of pg-boss beside the one of the tables. */
export function queueSchema(schema: string): string {
  return `${schema}_boss`;
}

/** What PostgreSQL answers if the role may not do something. */
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Creates both schemas and the tables of jobs, or brings them to this version, under a lock that all
 * servers share. Rejects with a `JobSetupError` if the role may not, and with a `JobError` if the
 * tables are of a newer version.
 */
export async function ensureTables(database: PostgresDatabase): Promise<void> {
  await withRights(database, async () =>
    await database.transaction(async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `trestle ${database.schema}`,
      ]);
      for (const schema of [database.schema, queueSchema(database.schema)]) {
        await ensureSchema(tx, schema);
      }
      await migrate(tx, database.schema);
    }));
}

/** Runs what creates tables; explains what is to be done if the role may not. */
export async function withRights<T>(
  database: PostgresDatabase,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    const [row] = await database.query("SELECT quote_ident(current_user) AS role");
    throw new JobSetupError("Cannot keep jobs in PostgreSQL: the role may not create the tables", {
      sql: toGrants(database.schema, String(row?.role)),
      cause: error,
    });
  }
}

function toGrants(schema: string, role: string): string {
  const names = [schema, queueSchema(schema)].map((name) => `"${name}"`);
  return [
    ...names.map((name) => `CREATE SCHEMA IF NOT EXISTS ${name};`),
    `GRANT ALL ON SCHEMA ${names.join(", ")} TO ${role};`,
  ].join("\n");
}

/** `CREATE SCHEMA IF NOT EXISTS` needs the right to create one even if it exists. */
async function ensureSchema(tx: Queryable, schema: string): Promise<void> {
  const found = await tx.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (found.length === 0) await tx.query(`CREATE SCHEMA "${schema}"`);
}

async function migrate(tx: Queryable, schema: string): Promise<void> {
  const [table] = await tx.query("SELECT to_regclass($1) IS NOT NULL AS there", [
    `"${schema}".version`,
  ]);
  if (table?.there !== true) await tx.query("CREATE TABLE ~version (version integer NOT NULL)");
  const [row] = await tx.query("SELECT version FROM ~version");
  const version = Number(row?.version ?? 0);
  if (version > MIGRATIONS.length) {
    throw new JobError(
      "Cannot keep jobs in PostgreSQL: its tables are of a newer version of the server " +
        `(format ${version}; this one knows ${MIGRATIONS.length}); start that version, or set ` +
        "another MCP_JOBS_SCHEMA",
      { code: "JOBS_UNAVAILABLE" },
    );
  }
  if (version === MIGRATIONS.length) return;
  for (const migration of MIGRATIONS.slice(version)) await tx.query(migration);
  await tx.query("DELETE FROM ~version");
  await tx.query("INSERT INTO ~version (version) VALUES ($1)", [MIGRATIONS.length]);
}

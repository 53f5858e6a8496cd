import { DatabaseSync } from "node:sqlite";
import { JobError } from "../../tool/job.ts";
import { APPLICATION_ID, MIGRATIONS } from "./sqlite_schema.ts";

/**
 * Checks the format of a file that exists, and changes nothing of it. Throws a `JobError` if it is of
 * another program, or of a newer version of the server.
 */
export function ensureKnownFormat(path: string): void {
  const { isFile, size } = statOf(path) ?? { isFile: false, size: 0 };
  if (!isFile || size === 0) return;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    versionOf(path, database);
  } finally {
    database.close();
  }
}

/** Creates the tables, or brings those of an older version to this one; needs a transaction. */
export function migrate(path: string, database: DatabaseSync): void {
  const version = versionOf(path, database);
  if (version === MIGRATIONS.length) return;
  for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
}

/** A store that this server can't use. */
export function unusable(path: string, state: string): JobError {
  return new JobError(`Cannot keep jobs in "${path}": ${state}`, { code: "JOBS_UNAVAILABLE" });
}

/** The version of the tables, 0 if there are none. */
function versionOf(path: string, database: DatabaseSync): number {
  const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (pragma("schema_version") === 0) return 0;
  if (pragma("application_id") !== APPLICATION_ID) {
    throw unusable(
      path,
      "it is a database of another program; move it, and if it is one of sql-query, " +
        "set MCP_DATABASE_JOBS to sqlite://<its new path>",
    );
  }
  const version = pragma("user_version");
  if (version <= MIGRATIONS.length) return version;
  throw unusable(
    path,
    `it is of a newer version of the server (format ${version}; this one knows ` +
      `${MIGRATIONS.length}); start that version, or set another MCP_DATA_DIR`,
  );
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

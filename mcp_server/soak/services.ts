import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { startPostgres } from "../testing/postgres.ts";
import { createUser, requiresSshd, startSshd } from "../testing/sshd.ts";

/** What the traffic may use on this machine. */
export interface Services extends AsyncDisposable {
  /** The environment of a server that can use all of it. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder that is removed at the end, with all others in it. */
  readonly folder: string;
  /** A folder for the files that calls read and write. */
  readonly files: string;
  /** The temporary folder of the server, which must be empty at the end. */
  readonly temp: string;
  /** Where servers write their audit. */
  readonly audit: string;
  /** `127.0.0.1:<port>` of an sshd. */
  readonly sshHost?: string;
  /** An account there whose login shell has no startup files, which might print something. */
  readonly sshUser?: string;
  readonly postgres: boolean;
  /** Its URL. */
  readonly postgresUrl?: string;
  /** Runs SQL in PostgreSQL over a connection of its own, if there is one. */
  readonly askPostgres?: (query: string) => Promise<string>;
  /** What its processes have in their environment. */
  readonly mark: string;
  /** How the command lines of endless commands begin, wherever they run. */
  readonly endless: string;
}

/** Enough for the calls of all servers, and the jobs of a fleet. */
const CONNECTIONS = 150;

/** Starts PostgreSQL and sshd if they are installed, in temporary folders. */
export async function startServices(): Promise<Services> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const [files, temp, data] = [
    `${folder.path}/files`,
    `${folder.path}/temp`,
    `${folder.path}/data`,
  ];
  for (const path of [files, temp, data]) await Deno.mkdir(path);
  const postgres = requires("postgresql", "sql-query").ignore
    ? undefined
    : stack.use(await startPostgres(CONNECTIONS));
  const sshd = requiresSshd("ssh-exec").ignore
    ? undefined
    : stack.use(await startSshd("Subsystem sftp internal-sftp"));
  const user = sshd && stack.use(await createUser("/bin/bash", sshd.home));
  const mark = crypto.randomUUID();
  const owned = stack.move();
  const audit = `${folder.path}/audit`;
  return {
    env: {
      SOAK_MARK: mark,
      HOME: sshd?.home ?? folder.path,
      TMPDIR: temp,
      MCP_DATA_DIR: data,
      MCP_AUDIT_FILE: audit,
      ...(postgres === undefined ? {} : { MCP_DATABASE_SERVER: postgres.url() }),
    },
    folder: folder.path,
    files,
    temp,
    audit,
    ...(sshd === undefined ? {} : { sshHost: sshd.host }),
    ...(user === undefined ? {} : { sshUser: user.name }),
    postgres: postgres !== undefined,
    ...(postgres === undefined ? {} : { postgresUrl: postgres.url() }),
    ...(postgres === undefined ? {} : { askPostgres: (query) => postgres.ask(query) }),
    mark,
    endless: `sleep 600.${parseInt(mark.slice(0, 8), 16)}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { startPostgres } from "../testing/postgres.ts";
import { createUser, requiresSshd, startSshd } from "../testing/sshd.ts";

/** What the traffic may use on this machine. */
export interface Services extends AsyncDisposable {
  /** The environment of a server that can use all of it. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder for the files that calls read and write. */
  readonly files: string;
  /** The temporary folder of the server, which must be empty at the end. */
  readonly temp: string;
  /** Where servers write their audit. */
  readonly audit: string;
  /** `127.0.0.1:<port>` of an sshd. */
  readonly sshHost?: string;
  readonly postgres: boolean;
  /** What its processes have in their environment. */
  readonly mark: string;
}

/** Starts PostgreSQL and sshd if they are installed, in temporary folders. */
export async function startServices(): Promise<Services> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const [files, temp, data] = ["files", "temp", "data"].map((name) => `${folder.path}/${name}`);
  for (const path of [files, temp, data]) await Deno.mkdir(path ?? "");
  const postgres = requires("postgresql", "sql-query").ignore
    ? undefined
    : stack.use(await startPostgres());
  const sshd = requiresSshd("ssh-exec").ignore ? undefined : stack.use(await startSshd());
  // Another user's login shell may print the output of its startup files.
  const user = sshd && stack.use(await createUser("/bin/bash", sshd.home));
  const mark = crypto.randomUUID();
  const owned = stack.move();
  const audit = `${folder.path}/audit`;
  return {
    env: {
      SOAK_MARK: mark,
      HOME: sshd?.home ?? folder.path,
      USER: user?.name ?? "",
      TMPDIR: temp ?? "",
      MCP_DATA_DIR: data ?? "",
      MCP_AUDIT_FILE: audit,
      ...(postgres === undefined ? {} : { MCP_DATABASE_SERVER: postgres.url() }),
    },
    files: files ?? "",
    temp: temp ?? "",
    audit,
    ...(sshd === undefined ? {} : { sshHost: sshd.host }),
    postgres: postgres !== undefined,
    mark,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

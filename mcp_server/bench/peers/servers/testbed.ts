import { requires } from "../../../../test_support/services.ts";
import { createTempFolder } from "../../../../test_support/temp_folder.ts";
import { type Postgres, startPostgres } from "../../../testing/postgres.ts";
import { createUser, requiresSshd, type Sshd, startSshd } from "../../../testing/sshd.ts";
import { type Installed, installPackages } from "./packages.ts";

/** What the servers work on: real parts on this machine, in temporary folders. */
export interface Testbed extends AsyncDisposable {
  readonly peers: Installed;
  readonly postgres: Postgres;
  readonly sshd: Sshd;
  /** An account that may log in to the sshd. */
  readonly user: string;
  /** A folder with a small and a large file. */
  readonly files: string;
  /** A database of SQLite. */
  readonly sqlite: string;
  /** Creates a home folder for one server. */
  home(name: string): Promise<string>;
}

/** The content of the small file. */
export const SMALL_TEXT = "a small file\n";
const LINE = `${"x".repeat(99)}\n`;
const LARGE_LINES = 2_000_000;
const LINES_A_WRITE = 10_000;

/**
 * Installs the peers, in the folder if one is given, and starts the services; needs root, for the
 * account.
 */
export async function openTestbed(modules?: string): Promise<Testbed> {
  if (requires("postgresql", "").ignore || requiresSshd("").ignore) {
    throw new Error("Cannot compare the peers: PostgreSQL, sshd and the rights of root are needed");
  }
  await using stack = new AsyncDisposableStack();
  const temp = stack.use(await createTempFolder());
  const [files = "", data = ""] = ["files", "data"].map((name) => `${temp.path}/${name}`);
  for (const path of [files, data]) await Deno.mkdir(path);
  const peers = await installPackages(modules ?? `${temp.path}/modules`);
  const postgres = stack.use(await startPostgres());
  const sshd = stack.use(await startSshd());
  const user = stack.use(await createUser("/bin/bash", sshd.home));
  await writeFiles(files);
  const owned = stack.move();
  return {
    peers,
    postgres,
    sshd,
    user: user.name,
    files,
    sqlite: `${data}/bench.db`,
    home: async (name) => {
      const home = `${temp.path}/home-${name}`;
      await Deno.mkdir(`${home}/.ssh`, { recursive: true, mode: 0o700 });
      await Deno.copyFile(`${sshd.home}/.ssh/known_hosts`, `${home}/.ssh/known_hosts`);
      return home;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function writeFiles(folder: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/small`, SMALL_TEXT);
  using large = await Deno.create(`${folder}/large`);
  const block = new TextEncoder().encode(LINE.repeat(LINES_A_WRITE));
  for (let left = LARGE_LINES; left > 0; left -= LINES_A_WRITE) {
    for (let at = 0; at < block.length;) at += await large.write(block.subarray(at));
  }
}

import type { EnvLookup } from "../database_target.ts";
import { SQLITE_HOST_FLAG } from "./protocol.ts";

/** How this server itself runs. */
export interface Runtime {
  /** It is a compiled program, so that there is no `deno` to run a file with. */
  readonly standalone: boolean;
  /** The program that runs: `deno`, or the compiled server. */
  readonly execPath: string;
}

/** A program to start, with all of its environment. */
export interface SqliteCommand {
  readonly program: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const PROGRAM = new URL("./main.ts", import.meta.url);
const FLAGS = ["--quiet", "--no-prompt", "--no-config", "--no-lock", "--cached-only"];
const RIGHTS = ["--allow-read", "--allow-write"];
/** What Deno needs of the environment to find its cache; secrets stay here. */
const ENV = ["DENO_DIR", "HOME", "XDG_CACHE_HOME", "TMPDIR", "SQLITE_TMPDIR"];

/** How the process that holds an SQLite file is started: a compiled server starts itself again. */
export function sqliteCommand(
  { standalone, execPath }: Runtime,
  lookUp: EnvLookup,
): SqliteCommand {
  const found = ENV.flatMap((name) => {
    const value = lookUp(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    program: execPath,
    args: standalone ? [SQLITE_HOST_FLAG] : ["run", ...FLAGS, ...RIGHTS, PROGRAM.href],
    env: Object.fromEntries(found),
  };
}

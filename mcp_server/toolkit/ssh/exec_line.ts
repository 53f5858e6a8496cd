/** Returns a marker that no output contains by chance. */
export function createMarker(): string {
  return `trestle-${crypto.randomUUID().replaceAll("-", "")}`;
}

/** Where and with which variables a command runs. */
export interface RemotePlace {
  /** Working folder; `~` and `~name` are home folders on the host. @default {the home folder} */
  readonly cwd?: string | undefined;
  /** Further environment variables, by names that a shell can assign. @default {none} */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The same, with variables whose values the process list of the host must not show. */
export interface SecretPlace extends RemotePlace {
  /** Variables that the shell reads from its input; see {@linkcode toSecretLines}. @default {none} */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
}

/** The exit code of a login shell that can't enter the working folder, before it runs anything. */
export const CANNOT_ENTER = 126;

/**
 * The command line for the login shell: it reads the secret variables, sets the others, enters the
 * folder, prints the marker with the shell's process id, which is also the id of the session and group
 * that sshd created for it, and then runs the command. A shell that can't do one of the first prints no marker.
 *
 * It is understood by sh, bash, dash, ksh, zsh and fish 3, starts no further process, and leaves
 * the command to the login shell as `ssh host command` does. The command follows `eval`, so that
 * one that can't be parsed fails like any other command instead of ending the shell silently.
 */
export function toExecLine(
  command: string,
  marker: string,
  { cwd, env, secretEnv = {} }: SecretPlace = {},
): string {
  const secrets = Object.entries(secretEnv).flatMap(([name, value]) => {
    const exports = value.split("\n").flatMap((_line, at) => {
      return [READ_LINE, toExport(name, at === 0 ? '"$MCP_LINE"' : `"$${name}\n$MCP_LINE"`)];
    });
    return [...exports, FORGET_LINE];
  });
  const variables = Object.entries(env ?? {}).map(([name, value]) => {
    return toExport(name, quote(value));
  });
  const enter = cwd === undefined ? [] : [`cd ${quoteFolder(cwd)} || exit ${CANNOT_ENTER}`];
  const own = `test -n "$fish_pid" && echo "${marker} $fish_pid" || eval 'echo "${marker} $$"'`;
  return [...secrets, ...variables, ...enter, own, `eval ${quote(command)}`].join("\n");
}

/** What a host gets before the input of a command whose line was created with `secretEnv`. */
export function toSecretLines(secretEnv: Readonly<Record<string, string>> = {}): string {
  return Object.values(secretEnv).map((value) => `${value}\n`).join("");
}

/** Reads a line of the input, and no byte after it; fish has other words for it. */
const READ_LINE =
  `test -n "$fish_pid" && read -gL MCP_LINE || eval 'IFS= read -r MCP_LINE' || exit 125`;
const FORGET_LINE = `test -n "$fish_pid" && set -e MCP_LINE || unset MCP_LINE`;

function toExport(name: string, text: string): string {
  return `test -n "$fish_pid" && set -gx ${name} ${text} || export ${name}=${text} || exit 125`;
}

/**
 * Quotes a folder, but for the `~/` or `~name/` that it starts with. Starting with a dot, no other path
 * is an option, the folder before (`-`), or looked up in `CDPATH`.
 */
function quoteFolder(path: string): string {
  const [home] = /^~(\w[\w.-]*)?(\/|$)/.exec(path) ?? [];
  if (home !== undefined) return home + (path === home ? "" : quote(path.slice(home.length)));
  return quote(path.startsWith("/") ? path : `./${path}`);
}

/** Quotes a text for POSIX shells and for fish, which interprets backslashes between quotes. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (sign) => sign === "'" ? `'"'"'` : `'"\\\\"'`)}'`;
}

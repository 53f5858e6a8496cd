/** What is started for a command: a program that ends up as the command, with the same id. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Env;
}

type Env = Readonly<Record<string, string>>;

/** How a command joins its control group. */
export interface Joining {
  /** The `cgroup.procs` of the group. */
  readonly procs: string;
  /** The first word of the message with which a launch reports that it failed. */
  readonly mark: string;
}

/** The shell that joins the group; nothing that a call has chosen applies before that. */
const SHELL = "/bin/sh";

/**
 * Variables that change what a shell or the dynamic linker does before it has joined, and those that
 * shells don't pass on unchanged; `env` sets them for the program alone.
 */
const ODD =
  /^(LD_.*|BASH.*|SHELLOPTS|POSIXLY_CORRECT|PS4|ENV|IFS|OPTIND|PPID|E?UID|GLIBC_TUNABLES)$/;
const SHELL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Shells set these by themselves. */
const FOLDERS = ["PWD", "OLDPWD"] as const;

/**
 * The launch of a program that joins its control group by itself, before it runs anything: a process
 * that is moved from outside may have started others by then. A shell joins and becomes the program,
 * whose environment is exactly the given one.
 */
export function toJoining(launch: Launch, { procs, mark }: Joining): Launch {
  const { plain, program } = toExec(launch);
  const folders = FOLDERS.flatMap((name) => launch.env[name] ?? "");
  const script = `echo 0 >"$1"||exit 126;${
    FOLDERS.map((name, at) =>
      launch.env[name] === undefined ? `unset ${name}` : `${name}=$${at + 2}`
    ).join(";")
  };shift 3;exec "$@"`;
  return { program: SHELL, args: ["-c", script, mark, procs, ...folders, ...program], env: plain };
}

/** A line break, for {@linkcode toOrder}, which is one line. */
const NEWLINE = "MCP_NEWLINE";

/**
 * The launch of a shell that joins a group, and waits there for the line that says what to become:
 * a process that joins may wait for milliseconds until the kernel lets it.
 */
export function toWaiting(env: Env, { procs, mark }: Joining): Launch {
  const { plain } = toExec({ program: "", args: [], env });
  const script =
    `echo 0 >"$1"||exit 126;shift;${NEWLINE}='\n';read -r MCP_ORDER&&eval "$MCP_ORDER"`;
  return { program: SHELL, args: ["-c", script, mark, procs], env: plain };
}

/** What a waiting shell is to become. */
export interface Order extends Launch {
  readonly cwd: string | undefined;
  /** Whether the program reads what follows the line. */
  readonly stdin: boolean;
}

/** Shells read a line byte by byte. */
const MOST_ORDER = 4_096;

/**
 * The line that makes a shell of {@linkcode toWaiting}, started with `base`, become a program;
 * `undefined` if that takes more than a short line of ASCII.
 */
export function toOrder({ cwd, stdin, ...launch }: Order, base: Env): string | undefined {
  const { plain, program } = toExec(launch);
  if (Object.keys(base).some((name) => !Object.hasOwn(launch.env, name))) return undefined;
  const changed = Object.entries(plain).filter(([name, value]) => base[name] !== value);
  const exports = changed.map(([name, value]) => `${name}=${quote(value)};export ${name}`);
  const folders = FOLDERS.map((name) => {
    const value = launch.env[name];
    return value === undefined ? `unset ${name}` : `${name}=${quote(value)}`;
  });
  const line = [
    ...(cwd === undefined ? [] : [`cd -P -- ${quote(toPath(cwd))}||exit 126`]),
    ...exports,
    ...folders,
    `exec ${program.map(quote).join(" ")}${stdin ? "" : " </dev/null"}\n`,
  ].join(";");
  return line.length <= MOST_ORDER && /^[\t\x20-\x7e]*\n$/.test(line) ? line : undefined;
}

/** A path that `cd` takes as chdir(2) does: `CDPATH`, and `-` for the last folder, don't apply. */
function toPath(cwd: string): string {
  return cwd.startsWith("/") ? cwd : `./${cwd}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll("\n", `'"$${NEWLINE}"'`)}'`;
}

/** The variables that a shell can hold, and the program, with those that it can't hold. */
function toExec({ program, args, env }: Launch): { plain: Env; program: string[] } {
  const isOdd = (name: string) => ODD.test(name) || !SHELL_NAME.test(name);
  const [odd, plain] = [true, false].map((wanted) =>
    Object.entries(env).filter(([name]) => isOdd(name) === wanted)
  );
  const given = (odd ?? []).map(([name, value]) => `${name}=${value}`);
  return {
    plain: Object.fromEntries(plain ?? []),
    program: [...(given.length > 0 ? ["/usr/bin/env", ...given] : []), program, ...args],
  };
}

/**
 * What the shell of a launch said if it could not become the program; `undefined` if the program ran.
 */
export function whyNotLaunched(
  { exitCode, stderr }: { readonly exitCode: number; readonly stderr: string },
  mark: string,
): string | undefined {
  if (exitCode === 0 || !stderr.startsWith(`${mark}: `)) return undefined;
  return stderr.slice(mark.length + 2).trim();
}

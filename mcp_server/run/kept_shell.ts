import { within } from "../shared/deadline.ts";
import type { CgroupFiles } from "./cgroup_files.ts";

/** How long one access may take; the kernel answers in microseconds. */
const TIME_OUT_MS = 3_000;

/**
 * Answers one line of input after the other: data after `|`, at the end `=ok` or `=failed`, and
 * between them what the system says about a failure. Paths have no spaces, names nothing special.
 */
const SCRIPT = `exec 2>&1
while read -r verb file rest; do
  set --
  case $verb in
    make | remove) for name in $rest; do set -- "$@" "$file/$name"; done ;;
  esac
  case $verb in
    read) [ ! -e "$file" ] || while read -r line; do printf '|%s\\n' "$line"; done <"$file" ;;
    write) printf %s "$rest" >"$file" ;;
    folders) for path in "$file"/*/; do [ ! -d "$path" ] || printf '|%s\\n' "$path"; done ;;
    make) mkdir -p "$@" ;;
    remove) rmdir "$@" >/dev/null 2>&1 || : ;;
    link) line=$(readlink "$file") && printf '|%s\\n' "$line" ;;
    move) printf %s $$ >"$file" && printf %s $PPID >"$file" ;;
  esac && echo =ok || echo =failed
done`;

/**
 * Reaches the files through one `sh` that is kept, for a Deno without permission for `/sys` and
 * `/proc`: an access is a round trip over a pipe, in some 200 microseconds. The shell ends with
 * this process, and is started again if it was ended.
 */
export function createKeptShell(path: string): CgroupFiles {
  let shell: Shell | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const ask = (verb: string, file: string, rest = ""): Promise<string[]> => {
    const answer = last.then(async () => {
      shell ??= startShell(path);
      try {
        return await askShell(shell, `${verb} ${file} ${rest}\n`);
      } catch (error) {
        if (!(error instanceof RefusedError)) {
          shell.end();
          shell = undefined;
        }
        throw error;
      }
    });
    last = answer.catch(() => {});
    return answer;
  };
  return {
    read: async (file) => (await ask("read", file)).map((line) => `${line}\n`).join(""),
    write: async (file, text) => void await ask("write", file, text),
    folders: async (folder) =>
      (await ask("folders", folder)).map((line) => line.split("/").at(-2) ?? ""),
    make: async (folder, names) => void await ask("make", folder, names.join(" ")),
    remove: async (folder, names) => void await ask("remove", folder, names.join(" ")),
    link: async (file) => (await ask("link", file)).join(""),
    moveServer: async (folder) => void await ask("move", `${folder}/cgroup.procs`),
    [Symbol.asyncDispose]: async () => {
      await last;
      shell?.end();
      await shell?.ended;
      shell = undefined;
    },
  };
}

/** The system refused an access, and the shell goes on. */
class RefusedError extends Error {
  override readonly name: string = "RefusedError";
}

interface Shell {
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
  readonly lines: ReadableStreamDefaultReader<string>;
  rest: string;
  readonly ended: Promise<unknown>;
  end(): void;
}

function startShell(path: string): Shell {
  const child = new Deno.Command("sh", {
    args: ["-c", SCRIPT],
    clearEnv: true,
    env: { PATH: path, LC_ALL: "C" },
    // A Ctrl-C at the terminal goes to the server's whole group: the shell has to outlive it.
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  // It must not keep a program that embeds the server from ending.
  child.unref();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const input = child.stdin.getWriter();
  const end = () => {
    child.ref();
    input.close().catch(() => {});
    lines.cancel().catch(() => {});
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  };
  return { input, lines, rest: "", ended: child.status, end };
}

const encoder = new TextEncoder();

async function askShell(shell: Shell, request: string): Promise<string[]> {
  const exchange = shell.input.write(encoder.encode(request)).then(() => readAnswer(shell));
  exchange.catch(() => {});
  if (await within(exchange, TIME_OUT_MS)) return await exchange;
  throw new Error(`Cannot reach the control groups: no answer within ${TIME_OUT_MS} ms`);
}

async function readAnswer(shell: Shell): Promise<string[]> {
  const answer: string[] = [];
  const refusals: string[] = [];
  for (;;) {
    const end = shell.rest.indexOf("\n");
    if (end < 0) {
      const { done, value } = await shell.lines.read();
      if (done) throw new Error("Cannot reach the control groups: the helper shell has ended");
      shell.rest += value;
      continue;
    }
    const line = shell.rest.slice(0, end);
    shell.rest = shell.rest.slice(end + 1);
    if (line === "=ok") return answer;
    if (line === "=failed") throw new RefusedError(refusals.join("; ") || "the system refuses it");
    if (line.startsWith("|")) answer.push(line.slice(1));
    else refusals.push(line.replace(/^sh: \d+: /, ""));
  }
}

import { toRipgrepPattern } from "./ripgrep_pattern.ts";
import type { SearchRequest } from "./walk_task.ts";

/** The longest lines that the walk does not cut are shorter. */
const WHOLE_LINES = "128K";
/** How many programs run at once; a search beyond them goes on without. */
const MOST_AT_ONCE = 2;
const MOST_THREADS = 4;
/** Paths that wait to be taken; then the program waits, too. */
const MOST_PATHS = 20_000;

/** Where it is looked for: where packages and administrators install programs. */
const PATH = "/usr/local/bin:/usr/bin:/bin";

let running = 0;

/**
 * Looks through the files below a folder with ripgrep, while the walk goes on that finds the lines:
 * names the text files that can't have a line that matches. So the answer is that of the walk, with
 * its rules and its order, whatever the program skips, reads differently, or does not understand; the
 * walk looks into the other files by itself, and this one only saves it time.
 */
export class Ripgrep implements Disposable {
  /** Resolves when it has ended; never rejects. */
  readonly ended: Promise<void>;
  readonly #root: string;
  readonly #child: Deno.ChildProcess;
  #paths: string[] = [];
  #goOn: (() => void) | undefined;
  #isEnded = false;
  #rest = new Uint8Array(0);

  private constructor(root: string, child: Deno.ChildProcess) {
    this.#root = root.endsWith("/") ? root : `${root}/`;
    this.#child = child;
    running++;
    this.ended = this.#read().catch(() => {}).finally(() => running--);
  }

  /**
   * Starts it, below a real path that its caller may read as this process can. Returns `undefined`
   * where it is not installed, enough of them run, or the pattern might mean something else to it.
   */
  static start(request: SearchRequest, path = PATH): Ripgrep | undefined {
    const pattern = toRipgrepPattern(request.pattern, request);
    if (running >= MOST_AT_ONCE || pattern === undefined) return undefined;
    const { glob, all = false } = request;
    // A pattern of paths would make ripgrep search what a .gitignore names.
    if (glob?.includes("/")) return undefined;
    const args = [
      ...["--no-config", "--no-messages", "--color=never", "--no-mmap", "--encoding=none"],
      ...["--text", "--count", "--include-zero", "--null", "--with-filename"],
      ...["--hidden", "--glob=!.git", `--threads=${threads()}`],
      ...(all ? ["--no-ignore"] : ["--no-ignore-dot", "--no-ignore-exclude"]),
      ...(all ? [] : ["--no-ignore-global", "--no-require-git"]),
      ...(glob === undefined ? [] : [`--type-add=wanted:${glob}`, "--type=wanted"]),
      ...(pattern.hasEdges ? [`--max-filesize=${WHOLE_LINES}`] : []),
      ...[`--regexp=${pattern.text}`, `--regexp=(?-u:[${pattern.except}])`, "--", request.path],
    ];
    const env = { PATH: path };
    const own = { args, clearEnv: true, env, cwd: "/", stdin: "null", stderr: "null" } as const;
    try {
      return new Ripgrep(request.path, new Deno.Command("rg", { ...own, stdout: "piped" }).spawn());
    } catch {
      return undefined;
    }
  }

  /** The paths below the folder that it has found since the last call. */
  take(): string[] {
    const paths = this.#paths;
    this.#paths = [];
    this.#goOn?.();
    return paths;
  }

  /** Ends it. */
  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#goOn?.();
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }

  async #read(): Promise<void> {
    for await (const piece of this.#child.stdout) {
      if (this.#isEnded) break;
      const bytes = new Uint8Array(this.#rest.length + piece.length);
      bytes.set(this.#rest);
      bytes.set(piece, this.#rest.length);
      this.#rest = bytes.slice(this.#takeLines(bytes));
      if (this.#paths.length > MOST_PATHS) {
        await new Promise<void>((resolve) => this.#goOn = resolve);
      }
    }
    await this.#child.status;
  }

  /** Reads lines of a path, a NUL and how many lines match; returns where the rest starts. */
  #takeLines(bytes: Uint8Array): number {
    let start = 0;
    for (;;) {
      const nul = bytes.indexOf(0, start);
      const end = nul === -1 ? -1 : bytes.indexOf(LINE_FEED, nul);
      if (end === -1) return start;
      if (end === nul + 2 && bytes[nul + 1] === ZERO) {
        this.#add(decoder.decode(bytes.subarray(start, nul)));
      }
      start = end + 1;
    }
  }

  #add(path: string): void {
    // The walk sees a name that is not UTF-8 in another way.
    if (path.startsWith(this.#root) && !path.includes("\ufffd")) {
      this.#paths.push(path.slice(this.#root.length));
    }
  }
}

const [LINE_FEED, ZERO] = [0x0a, 0x30];
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function threads(): number {
  return Math.min(MOST_THREADS, navigator.hardwareConcurrency);
}

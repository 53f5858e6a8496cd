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

/** A pattern for ripgrep. */
interface RipgrepPattern {
  /** In the syntax of Rust's `regex`, for bytes. */
  readonly text: string;
  /** What lines with one of these bytes must not have, as a class of that syntax. */
  readonly except: string;
  /** Whether it looks at the start or end of a line or word, so that a line must not be cut. */
  readonly hasEdges: boolean;
}

/** One part of a class: a class of POSIX, a class in an escape, or a character, perhaps escaped. */
const MEMBER = /\[:(\^?\w+):\]|\\([dDwWsS])|(?:\\([^\w\s])|([^\\[\]]))/gsy;
/** One part of a pattern; what is none of them is left to the engine that RE2 comes from. */
const PART =
  /(?<any>\.)|(?<edge>\^|\$|\\[bB])|(?<set>\\[dDwWsS])|\\(?<escaped>[^\w\s]|t)|(?<open>\((?:\?:|\?P?<\w+>)?)(?!\?)|(?<close>\))|(?<or>\|)|(?<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??)|\[(?<not>\^?)(?<members>\]?(?:\[:\^?\w+:\]|\\.|[^\]\\[])*)\]|(?<char>[^\\[\]{}()])/gsuy;
const POSIX = new Set(
  "alnum alpha blank cntrl digit graph lower print punct space upper xdigit".split(" "),
);
const PLAIN = /^[\t\x20-\x7e]*$/;

/** The bytes of a character beyond ASCII, or of some that are not UTF-8, which are one as well. */
const BEYOND = "[\\x80-\\xff]{1,4}";
/** NUL, and the vertical tab, which `\s` has in Rust alone. */
const EXCEPT = "\\x00\\x0b";
/** In any case, `k` and `s` are also the Kelvin sign and the long s. */
const EXCEPT_ANY_CASE = `${EXCEPT}\\x80-\\xff`;

/**
 * Writes a pattern of RE2 so that ripgrep finds at least the lines that match it, whatever their bytes
 * are and also if a carriage return ends them, except those with certain bytes. Returns `undefined` for
 * one that has anything unusual: flags, classes of Unicode, `\A`, a character beyond ASCII. To be called
 * with patterns that RE2 has compiled.
 */
export function toRipgrepPattern(
  pattern: string,
  { ignoreCase = false }: { readonly ignoreCase?: boolean | undefined } = {},
): RipgrepPattern | undefined {
  if (!PLAIN.test(pattern)) return undefined;
  let text = "";
  let hasEdges = false;
  let read = 0;
  for (const { 0: part, index, groups = {} } of pattern.matchAll(PART)) {
    read = index + part.length;
    const { any, edge, set, escaped, open, members, not, char } = groups;
    if (edge !== undefined) hasEdges = true;
    if (any !== undefined) text += `(?:[^\\n\\x80-\\xff]|${BEYOND})`;
    else if (edge === "$") text += "\\r?$";
    else if (set !== undefined) text += withBeyond(set, isNegative(set));
    else if (open !== undefined) text += "(?:";
    else if (escaped !== undefined) text += escape(escaped === "t" ? "\t" : escaped);
    else if (char !== undefined) text += escape(char);
    else if (members !== undefined) {
      const inside = toMembers(members);
      if (inside === undefined) return undefined;
      text += withBeyond(`[${not}${inside}]`, not !== "" || isNegative(members));
    } else text += part;
  }
  if (read < pattern.length) return undefined;
  const except = ignoreCase ? EXCEPT_ANY_CASE : EXCEPT;
  return { text: `(?${ignoreCase ? "i" : ""}-u:${text})`, except, hasEdges };
}

/** Whether a part may be a class with what is not in another one. */
function isNegative(part: string): boolean {
  return /\\[DWS]|\[:\^/.test(part);
}

function withBeyond(set: string, isNegated: boolean): string {
  return isNegated ? `(?:${set}|${BEYOND})` : set;
}

function toMembers(members: string): string | undefined {
  let inside = "";
  let read = 0;
  // The first bracket is a member.
  if (members.startsWith("]")) [inside, read] = [escape("]"), 1];
  let from: string | undefined;
  MEMBER.lastIndex = read;
  for (let match = MEMBER.exec(members); match !== null; match = MEMBER.exec(members)) {
    read = MEMBER.lastIndex;
    const [part, posix, set, escaped, char] = match;
    if (posix !== undefined) {
      if (!POSIX.has(posix.replace("^", ""))) return undefined;
      inside += part;
      from = undefined;
    } else if (set !== undefined) {
      inside += part;
      from = undefined;
    } else if (char === "-" && from !== undefined && read < members.length) {
      // A range, unless what follows is a class.
      if (/^(?:\[|\\[dDwWsS])/.test(members.slice(read))) return undefined;
      const next = MEMBER.exec(members);
      const to = next?.[3] ?? next?.[4];
      if (to === undefined || to < from) return undefined;
      read = MEMBER.lastIndex;
      inside += `-${escape(to)}`;
      from = undefined;
    } else {
      from = escaped ?? char ?? "";
      inside += escape(from);
    }
  }
  return read === members.length && inside !== "" ? inside : undefined;
}

/** A character that means itself, in a class as well. */
function escape(character: string): string {
  if (/^[A-Za-z0-9_]$/.test(character)) return character;
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

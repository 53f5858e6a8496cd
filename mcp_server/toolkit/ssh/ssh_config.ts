import { createHash } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { untilAborted } from "../../shared/concurrency.ts";
import { messageOf, ToolError } from "../../shared/error.ts";
import type { CommandRunner, OutputEvent } from "../../tool/command.ts";
import {
  type ConfigValues,
  expandTokens,
  type HostConfig,
  toHostConfig,
  type Tokens,
} from "./host_config.ts";
import { DEFAULT_PORT } from "./hosts.ts";
import { SshError, wordsOfHost } from "./ssh2.ts";
import { SshFiles, type SshFileState } from "./ssh_files.ts";

/** A host as a call names it. */
export interface ConfigTarget {
  /** The name as it is written: patterns of OpenSSH are case-sensitive. */
  readonly name: string;
  readonly user?: string | undefined;
  readonly port?: number | undefined;
}

/** Looks up what the config says about a host. */
export type ConfigLookup = (target: ConfigTarget) => Promise<HostConfig>;

/** What the config is read with, besides the call. */
interface ConfigOptions {
  /** The folder that contains `.ssh`. */
  readonly home: string;
  readonly env: (name: string) => string | undefined;
  /** The account if nothing names one. */
  readonly defaultUser: string;
}

/** The call for which the config is read. */
interface LookupCall {
  readonly commands: CommandRunner;
  readonly signal: AbortSignal;
}

/** The answer of `ssh -G`: what differs from a host without a config, and the tokens' values. */
interface OpenSshAnswer {
  readonly values: ConfigValues;
  readonly tokens: Tokens;
}

/** How long the file itself may take; what it includes is part of what OpenSSH may take. */
const READ_MS = 10_000;
/** How long an answer counts: a file that the config includes may change without notice. */
const KEEP_MS = 5_000;
const MOST_KEPT = 1_024;
const SYSTEM_CONFIG = "/etc/ssh/ssh_config";
const MOST_BYTES = 1024 * 1024;

interface Kept {
  readonly answer: Promise<OpenSshAnswer>;
  readonly until: number;
  /** The call that asked: if it is stopped, another call asks again. */
  readonly signal: AbortSignal;
}

/**
 * Reads the config for each host by asking OpenSSH's client. Answers are kept for 5 s, and dropped at
 * once if `~/.ssh/config` itself changes. Without a client, a config that exists is an error, and a
 * host has the defaults if there is none.
 */
export class SshConfig {
  readonly #options: ConfigOptions;
  readonly #passwdHome = userInfo().homedir;
  readonly #kept = new Map<string, Kept>();
  #defaults: Promise<OpenSshAnswer> | undefined;

  constructor(options: ConfigOptions) {
    this.#options = options;
  }

  /** The lookup of one call. */
  forCall(call: LookupCall): ConfigLookup {
    return async (target) => {
      const answer = await this.#ask(target, call);
      const { home, env } = this.#options;
      const tokens = toTokens(target, answer, this.#options);
      const refuse = (state: string) => refused(target, state);
      return toHostConfig(answer.values, { tokens, refuse, home, env });
    };
  }

  async #ask(target: ConfigTarget, call: LookupCall): Promise<OpenSshAnswer> {
    const { file, stamp } = await this.#findFile(call);
    const key = JSON.stringify([target.name, target.user, target.port, stamp]);
    for (;;) {
      call.signal.throwIfAborted();
      const kept = this.#keptFor(key) ?? this.#keep(key, this.#askNow(target, file, call), call);
      try {
        return await untilAborted(kept.answer, call.signal);
      } catch (error) {
        if (!kept.signal.aborted || call.signal.aborted) throw error;
      }
    }
  }

  async #askNow(
    target: ConfigTarget,
    file: string | undefined,
    call: LookupCall,
  ): Promise<OpenSshAnswer> {
    try {
      const asked = askOpenSsh(target, file, this.#options.home, call);
      const [answer, { values: unset }] = await Promise.all([asked, this.#askOnce(call)]);
      return { ...answer, values: this.#inHome(withoutDefaults(answer.values, unset)) };
    } catch (error) {
      if (!(error instanceof NoOpenSsh)) throw error;
      return await this.#askNobody(error.message, call);
    }
  }

  /** Asks for the defaults, which do not change; for all calls, so none of them can stop it. */
  #askOnce({ commands }: LookupCall): Promise<OpenSshAnswer> {
    const { signal } = new AbortController();
    const call = { commands, signal };
    const ask = () => askOpenSsh({ name: "localhost" }, "none", this.#options.home, call);
    return this.#defaults ??= ask().catch((error) => {
      this.#defaults = undefined;
      throw error;
    });
  }

  #keptFor(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && !kept.signal.aborted && kept.until > performance.now()
      ? kept
      : undefined;
  }

  #keep(key: string, answer: Kept["answer"], { signal }: LookupCall): Kept {
    const now = performance.now();
    for (const [other, { until }] of this.#kept) {
      if (until > now && this.#kept.size < MOST_KEPT) break;
      this.#kept.delete(other);
    }
    const kept = { answer, signal, until: now + KEEP_MS };
    // The oldest one comes first.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    answer.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    return kept;
  }

  /** The answer if no client gives one, for a reason: that of a host without a config. */
  async #askNobody(reason: string, call: LookupCall): Promise<OpenSshAnswer> {
    const paths = this.#isOwnHome ? [this.#userConfig, SYSTEM_CONFIG] : [this.#userConfig];
    for (const path of paths) {
      const { size } = await this.#look(path, call);
      if (size === undefined) continue;
      throw unreadable(path, `the program "ssh", which is needed to read it, ${reason}`);
    }
    return { values: new Map(), tokens: {} };
  }

  /** What to pass with `-F`, and a text that changes with the file. */
  async #findFile(call: LookupCall): Promise<{ file: string | undefined; stamp: string }> {
    const path = this.#userConfig;
    const { size, stamp = "" } = await this.#look(path, call);
    if (size !== undefined && size > MOST_BYTES) {
      throw unreadable(path, `it has more than ${MOST_BYTES} bytes`);
    }
    const named = size === undefined ? "none" : path;
    return { file: this.#isOwnHome ? undefined : named, stamp };
  }

  get #userConfig(): string {
    return `${this.#options.home}/.ssh/config`;
  }

  /** Whether OpenSSH finds the same config by itself, and that of the system. */
  get #isOwnHome(): boolean {
    return this.#options.home === this.#passwdHome;
  }

  async #look(path: string, { signal }: LookupCall): Promise<SshFileState> {
    using files = new SshFiles({ signal, deadline: performance.now() + READ_MS });
    const state = await files.stat(path);
    if (state.fault !== undefined) throw unreadable(path, state.fault);
    return state;
  }

  /** OpenSSH expands `~` in some values to the home folder of passwd(5), whatever `HOME` is. */
  #inHome(values: ConfigValues): ConfigValues {
    const from = `${this.#passwdHome}/`;
    const { home } = this.#options;
    if (this.#isOwnHome) return values;
    const move = (path: string) =>
      path.startsWith(from) ? `${home}/${path.slice(from.length)}` : path;
    return new Map(
      [...values].map(([keyword, words]) =>
        [keyword, EXPANDED_BY_OPENSSH.has(keyword) ? words.map(move) : words] as const
      ),
    );
  }
}

const EXPANDED_BY_OPENSSH = new Set(["userknownhostsfile", "identityagent", "revokedhostkeys"]);

/** The values of all tokens (ssh_config(5), "TOKENS"); OpenSSH has already expanded some. */
function toTokens(
  target: ConfigTarget,
  { values, tokens }: OpenSshAnswer,
  { home, defaultUser }: ConfigOptions,
): Tokens {
  const { name, user, port } = target;
  const one = (keyword: string) => values.get(keyword)?.[0];
  const h = expandTokens(one("hostname") ?? name, {
    tokens: { h: name },
    refuse: (state) => refused(target, `its hostname can't be used: ${state}`),
  }).toLowerCase();
  const configPort = one("port") ?? "";
  const p = String(port ?? (/^\d+$/.test(configPort) ? configPort : DEFAULT_PORT));
  const r = user ?? one("user") ?? defaultUser;
  const l = hostname();
  const last = one("proxyjump")?.split(",").at(-1) ?? "none";
  const j = last.toLowerCase() === "none" ? "" : last;
  return {
    C: createHash("sha1").update(`${l}${h}${p}${r}`).digest("hex"),
    L: l.split(".")[0] ?? l,
    i: String(Deno.uid() ?? ""),
    k: one("hostkeyalias") ?? name,
    l,
    u: defaultUser,
    ...tokens,
    d: home,
    h,
    j,
    n: name,
    p,
    r,
  };
}

function unreadable(path: string, state: string): SshError {
  return new SshError(`Cannot read "${path}": ${state}`, "resolve");
}

function refused({ name }: ConfigTarget, state: string): SshError {
  return new SshError(`Cannot connect to "${name}": ${state}`, "resolve");
}

/** Keywords that count even if they are as without a config. */
const ALWAYS = new Set(["hostname", "user"]);

/** Removes what is as without a config: OpenSSH does not say where a value is from. */
function withoutDefaults(values: ConfigValues, defaults: ConfigValues): ConfigValues {
  return new Map(
    [...values].filter(([keyword, words]) =>
      ALWAYS.has(keyword) || words.join("\n") !== defaults.get(keyword)?.join("\n")
    ),
  );
}

/** There is no client that reads a config; the message says why, as the end of a sentence about it. */
class NoOpenSsh extends Error {}

/** `Match exec` and name look-ups are part of the answer. */
const ANSWER_MS = 30_000;
const MOST_CHARACTERS = 1024 * 1024;
/** Tokens whose values only OpenSSH knows; `ControlPath` is the one value that it prints expanded. */
const TOKENS = ["C", "L", "i", "k", "l", "u"] as const;
/** Keywords whose value is a list of files; names may contain spaces. */
const FILE_LISTS = new Set(["userknownhostsfile", "globalknownhostsfile"]);

/**
 * Asks OpenSSH's client what a config says about a host (`ssh -G`): a file, `none`, or those of the
 * user and the system. Rejects with an `SshError` of phase `resolve` that has the client's message,
 * with a `NoOpenSsh`, and with the signal's reason.
 */
async function askOpenSsh(
  { name, user, port }: ConfigTarget,
  file: string | undefined,
  home: string,
  { commands, signal }: LookupCall,
): Promise<OpenSshAnswer> {
  const args = ["-T", "-G"];
  if (file !== undefined) args.push("-F", file);
  if (user !== undefined) args.push("-l", user);
  if (port !== undefined) args.push("-p", String(port));
  args.push("-o", `ControlPath=${TOKENS.map((letter) => `%${letter}`).join("|")}`, "--", name);
  const text = { stdout: "", stderr: "" };
  const onOutput = ({ stream, text: piece }: OutputEvent) => {
    text[stream] = (text[stream] + piece).slice(0, MOST_CHARACTERS);
  };
  // The input is empty, so that the one of a job is left for others.
  const bounds = { env: { HOME: home }, stdin: "", timeoutMs: ANSWER_MS };
  const fail = (state: string) =>
    new SshError(`Cannot read the SSH config for "${name}": ${state}`, "resolve");
  try {
    const run = { signal, onOutput, helper: true };
    const { exitCode, timedOut } = await commands.run({ program: "ssh", args, ...bounds }, run);
    if (timedOut) {
      throw fail(`OpenSSH has no answer after ${ANSWER_MS / 1_000} s, see its "Match exec" lines`);
    }
    if (exitCode === 0) return parseAnswer(text.stdout);
    const said = wordsOfHost(text.stderr).replaceAll(/\s*\n/g, "; ");
    // A client without an account of its own reads no config at all.
    if (said.startsWith("No user exists for uid")) throw new NoOpenSsh(`says: ${said}`);
    throw fail(said === "" ? `ssh -G ended with ${exitCode}` : said);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SshError || error instanceof NoOpenSsh) throw error;
    const isMissing = error instanceof ToolError && error.code === "PROGRAM_NOT_FOUND";
    throw isMissing ? new NoOpenSsh("is not found") : fail(messageOf(error));
  }
}

function parseAnswer(text: string): OpenSshAnswer {
  const values = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [, keyword = "", value = ""] = /^(\S+) (.*)$/s.exec(line) ?? [];
    if (keyword === "") continue;
    values.set(keyword, [...values.get(keyword) ?? [], ...toWords(keyword, value)]);
  }
  const expanded = values.get("controlpath")?.[0]?.split("|") ?? [];
  values.delete("controlpath");
  const tokens = Object.fromEntries(TOKENS.map((letter, at) => [letter, expanded[at] ?? ""]));
  return { values, tokens };
}

function toWords(keyword: string, value: string): string[] {
  if (FILE_LISTS.has(keyword)) return value.split(/ (?=[/~])/);
  // It prints the last address in brackets.
  return [keyword === "proxyjump" ? value.replaceAll(/\[([\d.]+)\]/g, "$1") : value];
}

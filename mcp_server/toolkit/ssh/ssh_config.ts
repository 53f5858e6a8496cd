import { createHash } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { untilAborted } from "../../shared/deadline.ts";
import type { CommandRunner } from "../../tool/command.ts";
import {
  askOpenSsh,
  type ConfigTarget,
  type NoOpenSsh,
  type OpenSshAnswer,
  type OpenSshParts,
} from "./ask_openssh.ts";
import {
  type ConfigValues,
  expandTokens,
  type HostConfig,
  toHostConfig,
  type Tokens,
} from "./host_config.ts";
import { DEFAULT_PORT } from "./hosts.ts";
import { SshError } from "./ssh2.ts";
import { SshFiles, type SshFileState } from "./ssh_files.ts";

/** Looks up what the config says about a host. */
export type ConfigLookup = (target: ConfigTarget) => Promise<HostConfig>;

/** What the config is read with, besides the call. */
export interface ConfigOptions {
  /** The folder that contains `.ssh`. */
  readonly home: string;
  readonly env: (name: string) => string | undefined;
  /** The account if nothing names one. */
  readonly defaultUser: string;
}

/** The call for which the config is read. */
export interface LookupCall {
  readonly commands: CommandRunner;
  readonly signal: AbortSignal;
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
  #defaults: Promise<OpenSshAnswer | NoOpenSsh> | undefined;

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
    const parts: OpenSshParts = { ...call, file, env: { HOME: this.#options.home } };
    const [answer, unset] = await Promise.all([askOpenSsh(target, parts), this.#askOnce(parts)]);
    if ("missing" in answer) return await this.#askNobody(answer.missing, call);
    if ("missing" in unset) return await this.#askNobody(unset.missing, call);
    return { ...answer, values: this.#inHome(withoutDefaults(answer.values, unset.values)) };
  }

  /** Asks for the defaults, which do not change; for all calls, so none of them can stop it. */
  #askOnce(parts: OpenSshParts): Promise<OpenSshAnswer | NoOpenSsh> {
    const { signal } = new AbortController();
    const target = { name: "localhost" };
    return this.#defaults ??= askOpenSsh(target, { ...parts, file: "none", signal }).then(
      (answer) => {
        if ("missing" in answer) this.#defaults = undefined;
        return answer;
      },
      (error) => {
        this.#defaults = undefined;
        throw error;
      },
    );
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

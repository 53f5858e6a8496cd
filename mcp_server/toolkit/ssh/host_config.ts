import { withoutUnset } from "../../shared/json.ts";
import { type Algorithms, supportedAlgorithms } from "./ssh2.ts";

/** What a config says about a host: the values of each keyword, which is in lower case. */
export type ConfigValues = ReadonlyMap<string, readonly string[]>;

/** The ways to log in that a config may allow and order, as `PreferredAuthentications` names them. */
export const LOGIN_METHODS = ["publickey", "password", "keyboard-interactive"] as const;

/** One of the ways to log in. */
export type LoginMethod = typeof LOGIN_METHODS[number];

/** What a config says about how to reach one host and log in to it (ssh_config(5)). */
export interface HostConfig {
  /** Name or address to connect to, in lower case. */
  readonly hostName: string;
  readonly port: number;
  readonly user: string;
  /** The hops before the host, as they are written; none for `none`. */
  readonly jumps: readonly string[];
  /** The shell command whose standard streams are the connection. */
  readonly proxyCommand?: string;
  /** Whether the command would pass a connected socket instead of its streams. */
  readonly proxyPassesSocket: boolean;
  readonly connectTimeoutMs?: number;
  readonly hostKeyAlias?: string;
  readonly settings: HostSettings;
}

/** The settings of a config that only the connection itself needs; every file name is expanded. */
export interface HostSettings {
  /** Key files, in order. @default {those that OpenSSH tries} */
  readonly identityFiles?: readonly string[];
  /** Certificates for the keys, besides those that are next to their files. */
  readonly certificateFiles?: readonly string[];
  /** Of the agent's keys, only those of the identity files are used. */
  readonly identitiesOnly?: boolean;
  /** The agent's socket, or `none`. @default {SSH_AUTH_SOCK} */
  readonly agent?: string;
  readonly methods?: readonly LoginMethod[];
  /** The known hosts of the user; new keys are added to the first file. */
  readonly userKnownHosts?: readonly string[];
  readonly globalKnownHosts?: readonly string[];
  readonly revokedHostKeys?: string;
  /** Rejects unknown keys even if the server accepts new ones. */
  readonly strictHostKeys?: boolean;
  readonly algorithms?: Algorithms;
  readonly keepaliveMs?: number;
  readonly keepaliveCount?: number;
  readonly family?: 4 | 6;
  readonly bindAddress?: string;
}

/** As long as a command may run. */
const MOST_SECONDS = 600;

/** Reads the values of a config for one host; throws if one can't be used. */
export function toHostConfig(values: ConfigValues, parts: ExpandParts): HostConfig {
  const read = new ValueReader(values, parts);
  const jumps = read.word("proxyjump");
  const { h = "", p, r = "" } = parts.tokens;
  return withoutUnset({
    hostName: h,
    port: Number(p),
    user: r,
    jumps: jumps === undefined ? [] : jumps.split(",").map((jump) => jump.trim()),
    proxyCommand: jumps === undefined ? read.text("proxycommand") : undefined,
    proxyPassesSocket: read.flag("proxyusefdpass"),
    connectTimeoutMs: read.milliseconds("connecttimeout"),
    hostKeyAlias: read.word("hostkeyalias"),
    settings: toSettings(read),
  });
}

function toSettings(read: ValueReader): HostSettings {
  const family = read.word("addressfamily")?.toLowerCase();
  return withoutUnset({
    identityFiles: read.paths("identityfile"),
    certificateFiles: read.paths("certificatefile"),
    identitiesOnly: read.flag("identitiesonly") || undefined,
    agent: read.agent(),
    methods: toMethods(read),
    userKnownHosts: read.paths("userknownhostsfile"),
    globalKnownHosts: read.paths("globalknownhostsfile"),
    revokedHostKeys: read.paths("revokedhostkeys")?.[0],
    strictHostKeys: read.flag("stricthostkeychecking") || undefined,
    algorithms: toAlgorithms(read),
    keepaliveMs: read.milliseconds("serveraliveinterval"),
    keepaliveCount: read.number("serveralivecountmax") || undefined,
    family: family === "inet" ? 4 : family === "inet6" ? 6 : undefined,
    bindAddress: read.word("bindaddress"),
  });
}

/** The keywords that turn a way to log in off. */
const SWITCHES: Readonly<Record<LoginMethod, string>> = {
  "publickey": "pubkeyauthentication",
  "password": "passwordauthentication",
  "keyboard-interactive": "kbdinteractiveauthentication",
};

function toMethods(read: ValueReader): LoginMethod[] | undefined {
  const preferred = read.word("preferredauthentications")?.split(",");
  const isOn = (method: LoginMethod) => !read.isOff(SWITCHES[method]);
  if (preferred === undefined && LOGIN_METHODS.every(isOn)) return undefined;
  const order: readonly string[] = preferred ?? LOGIN_METHODS;
  return order.flatMap((name) => LOGIN_METHODS.filter((method) => method === name && isOn(method)));
}

/** The keywords of algorithms, whose lists OpenSSH prints in full. */
const ALGORITHM_KEYWORDS: readonly (readonly [keyof Algorithms, keyword: string])[] = [
  ["kex", "kexalgorithms"],
  ["cipher", "ciphers"],
  ["hmac", "macs"],
  ["serverHostKey", "hostkeyalgorithms"],
];

function toAlgorithms(read: ValueReader): Algorithms | undefined {
  const lists = ALGORITHM_KEYWORDS.flatMap(([purpose, keyword]) => {
    const text = read.word(keyword);
    if (text === undefined) return [];
    const known = supportedAlgorithms(purpose, text.split(","));
    if (known.length === 0) {
      throw read.refuse(`none of its ${keyword} "${text}" is supported`);
    }
    return [[purpose, known]];
  });
  return lists.length === 0 ? undefined : Object.fromEntries(lists);
}

/** Reads single values, which `none` unsets. */
class ValueReader {
  readonly #values: ConfigValues;
  readonly #parts: ExpandParts;

  constructor(values: ConfigValues, parts: ExpandParts) {
    this.#values = values;
    this.#parts = parts;
  }

  refuse(state: string): Error {
    return this.#parts.refuse(state);
  }

  /** The first word of the value. */
  word(keyword: string): string | undefined {
    const word = this.#values.get(keyword)?.[0];
    return word === undefined || word.toLowerCase() === "none" ? undefined : word;
  }

  /** The whole value, with its tokens expanded. */
  text(keyword: string): string | undefined {
    const text = (this.#values.get(keyword) ?? []).join(" ");
    if (text === "" || text.toLowerCase() === "none") return undefined;
    return expandTokens(text, this.#partsFor(keyword, text));
  }

  number(keyword: string): number | undefined {
    const word = this.word(keyword) ?? "";
    return /^\d+$/.test(word) ? Number(word) : undefined;
  }

  /** A time; zero counts as unset. */
  milliseconds(keyword: string): number | undefined {
    return 1_000 * Math.min(secondsOf(this.word(keyword) ?? ""), MOST_SECONDS) || undefined;
  }

  flag(keyword: string): boolean {
    return /^(yes|true)$/i.test(this.word(keyword) ?? "");
  }

  isOff(keyword: string): boolean {
    return /^(no|false)$/i.test(this.word(keyword) ?? "");
  }

  /** File names, none of them for `none`, or `undefined` if the config has none. */
  paths(keyword: string): string[] | undefined {
    return this.#values.get(keyword)
      ?.filter((path) => path.toLowerCase() !== "none")
      .map((path) => expandPath(path, this.#partsFor(keyword, path)));
  }

  /** The socket of the agent (ssh_config(5), "IdentityAgent"). */
  agent(): string | undefined {
    const text = this.#values.get("identityagent")?.[0];
    if (text === undefined || text === "SSH_AUTH_SOCK") return undefined;
    const [, variable] = /^\$(\w+)$/.exec(text) ?? [];
    if (variable !== undefined) return this.#parts.env(variable) || "none";
    if (text.toLowerCase() === "none") return "none";
    return expandPath(text, this.#partsFor("identityagent", text));
  }

  #partsFor(keyword: string, text: string): ExpandParts {
    const refuse = (state: string) =>
      this.refuse(`its ${keyword} "${text}" can't be used: ${state}`);
    return { ...this.#parts, refuse };
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** The seconds of a time, such as `90`, `1m30s` (sshd_config(5), "TIME FORMATS"); 0 for no time. */
function secondsOf(text: string): number {
  // Only the last number may lack its unit: otherwise digits would match in exponentially many ways.
  if (!/^(\d+[smhdw])*\d*$/i.test(text)) return 0;
  return [...text.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)]
    .reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 1), 0);
}

/** The values of the tokens of ssh_config(5), by their letter. */
export type Tokens = Readonly<Record<string, string>>;

/** What names of files are expanded with. */
interface ExpandParts {
  readonly tokens: Tokens;
  /** Creates the error for a text that can't be expanded, from what is wrong with it. */
  readonly refuse: (state: string) => Error;
  /** The folder that `~` stands for. */
  readonly home: string;
  readonly env: (name: string) => string | undefined;
}

/** Replaces `%x` tokens; throws if one is unknown. */
export function expandTokens(
  text: string,
  { tokens, refuse }: Pick<ExpandParts, "tokens" | "refuse">,
): string {
  return text.replaceAll(/%(.?)/g, (token, letter: string) => {
    if (letter === "%") return "%";
    if (Object.hasOwn(tokens, letter)) return tokens[letter] ?? "";
    throw refuse(`the token "${token}" is unknown`);
  });
}

/**
 * Expands the name of a file as OpenSSH does: `~`, tokens, and `${NAME}` variables. Throws if a token
 * is unknown or a variable is not set.
 */
export function expandPath(text: string, { tokens, home, env, refuse }: ExpandParts): string {
  const below = text.replace(/^~(?=\/|$)/, () => home.replaceAll("%", "%%"));
  return expandTokens(below, { tokens, refuse }).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = env(name);
    if (value === undefined) throw refuse(`the variable "${name}" is not set`);
    return value;
  });
}

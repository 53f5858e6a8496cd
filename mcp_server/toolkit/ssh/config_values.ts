import { userInfo } from "node:os";
import { matchesWildcard } from "../../shared/wildcard.ts";
import { matchesPatterns } from "./hosts.ts";
import type { ConfigLine, Criterion } from "./config_lines.ts";

/** A host's settings in a config: the values of each keyword, which is in lower case. */
export type ConfigValues = ReadonlyMap<string, readonly string[]>;

/** The keywords used here that accumulate values; of the others the first value counts. */
const REPEATABLE = new Set(["identityfile", "certificatefile"]);
/** Keywords with several values on a line. */
const LISTS = new Set(["userknownhostsfile", "globalknownhostsfile"]);
/** Former names of keywords. */
const NAMES: Readonly<Record<string, string>> = {
  challengeresponseauthentication: "kbdinteractiveauthentication",
};

/**
 * Collects the settings of a config for a host name (ssh_config(5)), with `Match` on `all`, `host`,
 * `originalhost`, `user`, `localuser`, `canonical` and `final`. Patterns are compared in linear
 * time, because the caller chooses the name.
 */
export function computeConfig(
  lines: readonly ConfigLine[],
  name: string,
  user: string | undefined,
): ConfigValues {
  const values = new Map<string, string[]>();
  if (user !== undefined) values.set("user", [user]);
  const isAgain = collect(lines, { name, host: name, values, final: false });
  if (!isAgain) return values;
  const written = values.get("hostname");
  const host = hostOf(values, name);
  // The second pass does not change where the name leads.
  values.set("hostname", [host]);
  collect(lines, { name, host, values, final: true });
  if (written === undefined) values.delete("hostname");
  else values.set("hostname", written);
  return values;
}

interface Pass {
  /** The name as the call writes it. */
  readonly name: string;
  /** What `Host` is compared with. */
  readonly host: string;
  readonly values: Map<string, string[]>;
  /** The second pass, in which `Match final` counts. */
  readonly final: boolean;
}

/** Takes the settings of the sections that apply; returns whether any section is for a second pass. */
function collect(lines: readonly ConfigLine[], pass: Pass): boolean {
  let applies = true;
  let isAgain = false;
  for (const line of lines) {
    if (line.keyword === "host") {
      applies = matchesExactly(pass.host, line.words);
    } else if (line.criteria !== undefined) {
      isAgain ||= line.criteria.some(({ name }) => name === "final");
      applies = line.criteria.every((one) => matches(one, pass) !== one.negated);
    } else if (applies) {
      take(line, pass.values);
    }
  }
  return isAgain;
}

function take(line: ConfigLine, values: Map<string, string[]>): void {
  const keyword = NAMES[line.keyword] ?? line.keyword;
  if (isSettled(keyword, values)) return;
  const before = values.get(keyword);
  const taken = valuesOf(keyword, line);
  if (before === undefined) values.set(keyword, taken);
  else if (REPEATABLE.has(keyword)) {
    before.push(...taken.filter((value) => !before.includes(value)));
  }
}

/** Of `ProxyJump` and `ProxyCommand`, the first one counts; `ProxyJump none` leaves the command. */
function isSettled(keyword: string, values: ConfigValues): boolean {
  if (keyword === "proxyjump") return values.has("proxycommand");
  const jump = values.get("proxyjump")?.[0] ?? "none";
  return keyword === "proxycommand" && jump.toLowerCase() !== "none";
}

function valuesOf(keyword: string, { text, words }: ConfigLine): string[] {
  if (keyword === "proxycommand") return [text];
  if (keyword === "proxyjump") return [text.replace(/#.*/s, "").trimEnd()];
  if (LISTS.has(keyword)) return [...words];
  const [first] = words;
  if (first === undefined) return [];
  return [keyword === "hostkeyalias" ? first.toLowerCase() : first];
}

/** The patterns of `Host`, and those for users, distinguish upper and lower case. */
function matchesExactly(name: string, patterns: readonly string[]): boolean {
  const fits = (pattern: string) => matchesWildcard(name, pattern);
  const refused = patterns.filter((pattern) => pattern.startsWith("!"));
  return patterns.some(fits) && !refused.some((pattern) => fits(pattern.slice(1)));
}

/** Whether a criterion applies, before it is negated; one that is not known never does. */
function matches({ name, negated, patterns }: Criterion, pass: Pass): boolean {
  const { values, final } = pass;
  const list = patterns.split(",");
  switch (name) {
    case "all":
      return true;
    case "canonical":
    case "final":
      return final;
    case "host":
      return matchesPatterns(hostOf(values, pass.name), list);
    case "originalhost":
      return matchesPatterns(pass.name, list);
    case "user":
      return matchesExactly(values.get("user")?.[0] ?? localUser(), list);
    case "localuser":
      return matchesExactly(localUser(), list);
    default:
      return negated;
  }
}

function localUser(): string {
  return userInfo().username;
}

/** The name to connect to, as far as it is known. */
function hostOf(values: ConfigValues, name: string): string {
  const written = values.get("hostname")?.[0];
  return written?.replaceAll(/%(.)/g, (token, letter: string) => {
    return letter === "h" ? name : letter === "%" ? "%" : token;
  }) ?? name;
}

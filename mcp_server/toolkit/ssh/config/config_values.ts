import { userInfo } from "node:os";
import { matchesPatterns } from "../host_name.ts";

/** A host's settings in a config: the values of each keyword, which is in lower case. */
export type ConfigValues = ReadonlyMap<string, readonly string[]>;

/** A word of a line, or the whole value, as the parser returns it. */
type Value = string | readonly (string | { readonly val: string })[];

/** A line of a parsed config; one that opens a section contains the section's lines. */
export interface ConfigLine {
  readonly type?: number;
  readonly param?: string;
  readonly value?: Value;
  readonly criteria?: Readonly<Record<string, Value>>;
  readonly config?: Iterable<ConfigLine>;
}

/** The keywords used here that accumulate values; of the others the first value counts. */
const REPEATABLE = new Set(["identityfile", "certificatefile"]);

/**
 * Collects the settings of a config for a host name (ssh_config(5)), with `Match` on `all`, `host`,
 * `originalhost`, `user`, `localuser` and `final`. Patterns are compared in linear time, because
 * the caller chooses the name: the parser's own comparison can take years.
 */
export function computeConfig(
  lines: Iterable<ConfigLine>,
  name: string,
  user: string | undefined,
): ConfigValues {
  const values = new Map<string, string[]>();
  if (user !== undefined) values.set("user", [user]);
  collect(lines, { name, values, final: false });
  collect(lines, { name, values, final: true });
  return values;
}

interface Pass {
  readonly name: string;
  readonly values: Map<string, string[]>;
  /** Only sections with `Match final` count. */
  readonly final: boolean;
}

function collect(lines: Iterable<ConfigLine>, pass: Pass): void {
  for (const { param, value, criteria, config } of lines) {
    const keyword = param?.toLowerCase();
    if (keyword === undefined) continue;
    if (keyword === "host" || keyword === "match") {
      const applies = criteria === undefined
        ? !pass.final && matchesPatterns(pass.name, wordsOf(value))
        : matchesCriteria(criteria, pass);
      if (applies) take(config ?? [], pass.values);
    } else if (!pass.final) {
      take([{ param, value }], pass.values);
    }
  }
}

function take(lines: Iterable<ConfigLine>, values: Map<string, string[]>): void {
  for (const { param, value } of lines) {
    const keyword = param?.toLowerCase();
    if (keyword === undefined) continue;
    const before = values.get(keyword);
    if (before === undefined) values.set(keyword, wordsOf(value));
    else if (REPEATABLE.has(keyword)) before.push(...wordsOf(value));
  }
}

function matchesCriteria(criteria: Readonly<Record<string, Value>>, pass: Pass): boolean {
  const { name, values, final } = pass;
  const entries = Object.entries(criteria).map(([key, value]) =>
    [key.toLowerCase(), value] as const
  );
  if (final !== entries.some(([key]) => key === "final")) return false;
  const localUser = () => userInfo().username;
  const subjects: Readonly<Record<string, () => string>> = {
    host: () => values.get("hostname")?.[0] ?? name,
    originalhost: () => name,
    user: () => values.get("user")?.[0] ?? localUser(),
    localuser: localUser,
  };
  return entries.every(([key, value]) => {
    if (key === "all" || key === "final") return true;
    const subject = Object.hasOwn(subjects, key) ? subjects[key] : undefined;
    const patterns = wordsOf(value).flatMap((word) => word.split(","));
    return subject !== undefined && matchesPatterns(subject(), patterns);
  });
}

function wordsOf(value: Value | undefined): string[] {
  if (value === undefined) return [];
  if (typeof value === "string") return [value];
  return value.map((word) => typeof word === "string" ? word : word.val);
}

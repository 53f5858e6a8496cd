/** Environment variables by name. */
export type Env = Readonly<Record<string, string>>;

/** A setting that can't be used; its message is the one line that the operator sees. */
export class ConfigError extends Error {
  /** Name of the error class. */
  override readonly name: string = "ConfigError";
}

/** Reads the value of a variable; throws a {@linkcode ConfigError} that names both. */
export type Read<Value> = (name: string, env: Env) => Value;

/** Reads a text; an absent or empty variable has none. */
export const text: Read<string | undefined> = (name, env) => env[name] || undefined;

/** Reads a whole number within bounds; an absent or empty variable is the fallback. */
export function integer<Fallback extends number | undefined>(
  fallback: Fallback,
  min: number,
  max: number,
): Read<number | Fallback> {
  return (name, env) => {
    const text = env[name];
    if (!text) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new ConfigError(`Cannot use ${name} "${text}": it must be ${min} to ${max}`);
  };
}

/** Reads 0 or 1; an absent or empty variable is 0. */
export const zeroOrOne: Read<boolean> = (name, env) => {
  const text = env[name] || "0";
  if (text === "0" || text === "1") return text === "1";
  throw new ConfigError(`Cannot use ${name} "${text}": it must be 0 or 1`);
};

/** Reads one of several words; an absent or empty variable is the fallback. */
export function choice<Choice extends string>(
  fallback: NoInfer<Choice>,
  choices: readonly Choice[],
): Read<Choice> {
  return (name, env) => {
    const text = env[name] || fallback;
    const found = choices.find((candidate) => candidate === text);
    if (found !== undefined) return found;
    throw new ConfigError(`Cannot use ${name} "${text}": it must be ${inWords(choices)}`);
  };
}

/** Reads a list with commas; empty items are left out, and each other one is checked. */
export function list(
  check: (name: string, item: string) => string = (_name, item) => item,
): Read<string[]> {
  return (name, env) => {
    const items = (env[name] ?? "").split(",").map((part) => part.trim());
    return items.filter((item) => item !== "").map((item) => check(name, item));
  };
}

function inWords(choices: readonly string[]): string {
  return choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
}

/** Environment variables by name. */
export type Env = Readonly<Record<string, string>>;

/** A setting that can't be used; its message is the one line that the operator sees. */
export class ConfigError extends Error {
  /** Name of the error class. */
  override readonly name: string = "ConfigError";
}

/** Reads a whole number within bounds; an absent or empty variable is the fallback. */
export function parseInteger(
  name: string,
  env: Env,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = env[name] || String(fallback);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ConfigError(`Cannot use ${name} "${text}": it must be ${min} to ${max}`);
}

/** Reads 0 or 1; an absent or empty variable is 0. */
export function parseSwitch(name: string, env: Env): boolean {
  const text = env[name] || "0";
  if (text === "0" || text === "1") return text === "1";
  throw new ConfigError(`Cannot use ${name} "${text}": it must be 0 or 1`);
}

/** Reads one of several words; an absent or empty variable is the fallback. */
export function parseChoice<Choice extends string>(
  name: string,
  env: Env,
  { fallback, choices }: { fallback: NoInfer<Choice>; choices: readonly Choice[] },
): Choice {
  const text = env[name] || fallback;
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new ConfigError(`Cannot use ${name} "${text}": it must be ${inWords(choices)}`);
}

/** Reads a list with commas; empty items are left out. */
export function parseList(text: string | undefined): string[] {
  return (text ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");
}

function inWords(choices: readonly string[]): string {
  return choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
}

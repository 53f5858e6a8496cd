import { ArgumentsError, NotAllowedError, quote } from "../shared/error.ts";
import type { Secrets } from "./parse_secrets.ts";
import { SecretMask } from "./secret_mask.ts";

/** How many names the message of an error has. */
const MOST_NAMES = 50;

/** The secrets that a caller may use, with the values that they have when its call begins. */
export class CallerSecrets {
  /** Their names. */
  readonly names: readonly string[];
  /** Replaces their values in what the call shows; absent if there are none. */
  readonly mask: SecretMask | undefined;
  readonly #values: Secrets;
  readonly #none: string;

  /** `none` says why there are none, as the end of a sentence. */
  constructor(values: Secrets, none = "the caller may use none") {
    this.#values = values;
    this.#none = none;
    this.names = [...values.keys()];
    this.mask = values.size === 0 ? undefined : new SecretMask(values);
  }

  /**
   * The values of secrets, as variables beside `others`. Throws a `NotAllowedError` for a name that is
   * not among these, and an `ArgumentsError` for one that another variable has.
   */
  env(
    names: readonly string[] = [],
    others: Readonly<Record<string, string>> = {},
  ): Record<string, string> {
    return Object.fromEntries(names.map((name) => {
      const value = this.#values.get(name);
      if (value === undefined) throw this.#unknown(name);
      if (Object.hasOwn(others, name)) throw twice(name);
      return [name, value];
    }));
  }

  /** Does not say whether the server has a secret of the name. */
  #unknown(name: string): NotAllowedError {
    const listed = this.names.slice(0, MOST_NAMES).join(", ");
    const more = this.names.length - MOST_NAMES;
    const state = listed === "" ? this.#none : `the caller may use ${listed}`;
    return new NotAllowedError(
      `Cannot use the secret ${quote(name, 64)}: ${state}${more > 0 ? ` and ${more} more` : ""}`,
    );
  }
}

function twice(name: string): ArgumentsError {
  const message = `Cannot use the secret "${name}": "env" has a variable of that name too`;
  return new ArgumentsError(message, { argument: "secrets" });
}

/** Those of a server that has none. */
export const NO_SECRETS: CallerSecrets = new CallerSecrets(
  new Map(),
  "the server has none, they are set by MCP_SECRETS_FILE",
);

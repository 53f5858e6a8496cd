/** The values of the tokens of ssh_config(5), by their letter. */
export type Tokens = Readonly<Record<string, string>>;

/** What tokens are replaced with. */
export interface TokenParts {
  readonly tokens: Tokens;
  /** Creates the error for a text that can't be expanded, from what is wrong with it. */
  readonly refuse: (state: string) => Error;
}

/** What names of files are expanded with. */
export interface ExpandParts extends TokenParts {
  /** The folder that `~` stands for. */
  readonly home: string;
  readonly env: (name: string) => string | undefined;
}

/** Replaces `%x` tokens; throws if one is unknown. */
export function expandTokens(text: string, { tokens, refuse }: TokenParts): string {
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

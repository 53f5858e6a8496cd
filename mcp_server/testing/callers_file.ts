import { createHash } from "node:crypto";

/** What the file says about a caller besides its token. */
export type CallerRights = Readonly<Record<string, unknown>>;

/** The rights of a caller who may do everything with tools, but sees its own jobs alone. */
export const EVERYTHING: CallerRights = Object.freeze({
  tools: ["*"],
  hosts: ["*"],
  databases: { "*": "rw" },
  paths: ["/**"],
});

/** The token of a caller in the files of tests. */
export function tokenOf(name: string): string {
  return `token-of-${name}-0123456789abcdef`;
}

/** The header by which a caller in the files of tests is recognized. */
export function bearerOf(name: string): { readonly authorization: string } {
  return { authorization: `Bearer ${tokenOf(name)}` };
}

/** The text of a callers file: each caller has the token {@linkcode tokenOf} its name. */
export function callersText(callers: Readonly<Record<string, CallerRights>>): string {
  const entries = Object.entries(callers).map(([name, rights]) => {
    const tokenSha256 = createHash("sha256").update(tokenOf(name)).digest("hex");
    return [name, { tokenSha256, ...rights }];
  });
  return JSON.stringify({ callers: Object.fromEntries(entries) });
}

/** Writes a callers file in one step, as an atomic rename does; returns its path. */
export async function writeCallers(
  folder: string,
  callers: Readonly<Record<string, CallerRights>>,
): Promise<string> {
  const path = `${folder}/callers.json`;
  await Deno.writeTextFile(`${path}.new`, callersText(callers), { mode: 0o600 });
  await Deno.rename(`${path}.new`, path);
  return path;
}

/** Writes a secrets file in one step, as an atomic rename does; returns its path. */
export async function writeSecrets(
  folder: string,
  secrets: Readonly<Record<string, string>>,
): Promise<string> {
  const path = `${folder}/secrets.json`;
  await Deno.writeTextFile(`${path}.new`, JSON.stringify({ secrets }), { mode: 0o600 });
  await Deno.rename(`${path}.new`, path);
  return path;
}

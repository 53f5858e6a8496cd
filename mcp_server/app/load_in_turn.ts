/** How long requests that have arrived get the whole processor before more is loaded. */
const TURN_MS = 4;

/**
 * Loads a part of the server while it already listens. Deno answers nobody while it loads modules, so
 * the requests that have arrived get their turn first.
 *
 * A part that only some starts need has a computed name: whatever is imported by a literal one is
 * read before the first module runs, however late it is imported.
 */
export async function loadInTurn<Module>(load: () => Promise<Module>): Promise<Module> {
  await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  return await load();
}

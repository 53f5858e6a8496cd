const FOLDER = new URL("../../tools/", import.meta.url);

/** The names of the built-in tools, in the order in which they are listed: that of their files. */
export const BUILT_IN_TOOLS: readonly string[] = [...Deno.readDirSync(FOLDER)]
  .filter(({ name }) => name.endsWith(".ts") && !name.endsWith("_test.ts"))
  .map(({ name }) => name.replace(/\.ts$/, "")).sort();

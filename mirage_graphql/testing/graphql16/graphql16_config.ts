import { createTempFolder } from "../../../mcp_server/testing/temp_folder.ts";
import { ROOT } from "../../../scripts/root.ts";

/** A configuration of Deno in a folder of its own. */
export interface TempConfig extends AsyncDisposable {
  readonly path: string;
}

/**
 * Writes the root's configuration with graphql 16 in the place of 17. Every package that is imported
 * through it gets the same graphql.
 */
export async function writeGraphQL16Config(): Promise<TempConfig> {
  const folder = await createTempFolder();
  const { workspace: _, imports, lint: _lint, tasks: _tasks, ...settings } = JSON.parse(
    await Deno.readTextFile(`${ROOT}/deno.json`),
  );
  const config = {
    ...settings,
    imports: {
      ...imports,
      graphql: "npm:graphql@^16.9.0",
      "@trestle/mirage-graphql": `${ROOT}/mirage_graphql/mod.ts`,
    },
  };
  const path = `${folder.path}/deno.json`;
  await Deno.writeTextFile(path, JSON.stringify(config));
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

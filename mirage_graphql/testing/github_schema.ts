import { buildClientSchema, type GraphQLSchema, type IntrospectionQuery } from "graphql";

/**
 * GitHub's schema, from the npm package that publishes it, which is installed in a temporary
 * folder.
 */
export async function loadGitHubSchema(): Promise<GraphQLSchema> {
  const folder = await Deno.makeTempDir();
  try {
    const name = "@octokit/graphql-schema";
    await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }');
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", `${name}@15`];
    const { success, stderr } = await new Deno.Command("npm", { args, cwd: folder }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    const path = `${folder}/node_modules/${name}/schema.json`;
    const parsed: unknown = JSON.parse(await Deno.readTextFile(path));
    if (!isIntrospection(parsed)) throw new TypeError(`Cannot use "${path}": it has no __schema`);
    return buildClientSchema(parsed);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function isIntrospection(value: unknown): value is IntrospectionQuery {
  return typeof value === "object" && value !== null && "__schema" in value;
}

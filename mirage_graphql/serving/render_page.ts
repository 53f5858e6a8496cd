import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

let page: Promise<string> | undefined;

/** Renders the GraphiQL page only once, because it has 9 MB. */
export function renderPage(): Promise<string> {
  page ??= render();
  // the package may be installed meanwhile
  page.catch(() => page = undefined);
  return page;
}

async function render(): Promise<string> {
  const { renderGraphiQL } = await importPackage();
  return renderGraphiQL({ title: "GraphiQL" });
}

/**
 * Imports the package by its name, so that it is a dependency on JSR too, where a package has no
 * import map; else the project's own, because npx installs this package elsewhere.
 */
async function importPackage(): Promise<typeof import("@graphql-yoga/render-graphiql")> {
  try {
    return await import("@graphql-yoga/render-graphiql");
  } catch {
    return await importFromProject();
  }
}

async function importFromProject(): Promise<typeof import("@graphql-yoga/render-graphiql")> {
  try {
    const project = createRequire(join(process.cwd(), "package.json"));
    const path = project.resolve("@graphql-yoga/render-graphiql");
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    throw new Error(
      "Cannot show GraphiQL: run npm install --save-dev @graphql-yoga/render-graphiql",
      { cause },
    );
  }
}

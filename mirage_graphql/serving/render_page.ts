let page: Promise<string> | undefined;

/** Renders the GraphiQL page only once, because it has 9 MB. */
export function renderPage(): Promise<string> {
  page ??= render();
  return page;
}

/**
 * Imports the package by its name, so that it is a dependency on JSR too, where a package has no
 * import map; the users of the fetch handler install it themselves.
 */
async function render(): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  return renderGraphiQL({ title: "GraphiQL" });
}

let page: Promise<string> | undefined;

/** Makes the GraphiQL page, once: it has 9 MB. */
export function renderPage(): Promise<string> {
  page ??= render();
  return page;
}

/**
 * The command imports the package by its name, so that it comes along from JSR too, where a package
 * has no import map; the fetch handler leaves it to its host.
 */
async function render(): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  return renderGraphiQL({ title: "GraphiQL" });
}

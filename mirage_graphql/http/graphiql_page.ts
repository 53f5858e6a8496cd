/** Creates the page: HTML that loads nothing from the network except responses of this endpoint. */
export type RenderPage = () => string | Promise<string>;

/** Which page a browser receives: GraphiQL, none, or a user-defined one. */
export type GraphiQLOption = boolean | RenderPage;

/** Kept in a variable, so that no bundler resolves a package that may be missing. */
const PACKAGE = "@graphql-yoga/render-graphiql";

let rendered: Promise<string> | undefined;

/** Whether a browser has opened the address: the request prefers HTML to JSON. */
export function wantsPage(request: Request): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const accept = request.headers.get("accept");
  return accept !== null && /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(accept);
}

/** Responds with the page, or with an error that names the missing package. */
export async function answerPage(option: true | RenderPage): Promise<Response> {
  let page: string;
  try {
    page = await (option === true ? renderOnce() : option());
  } catch (error) {
    return new Response(error instanceof Error ? error.message : String(error), {
      status: 501,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  }
  const headers = { "Content-Type": "text/html; charset=utf-8", "Vary": "Accept" };
  return new Response(page, { headers });
}

/** The page has 9 MB: it is created on demand, and then kept. */
function renderOnce(): Promise<string> {
  rendered ??= renderPackage().catch((error) => {
    rendered = undefined;
    throw error;
  });
  return rendered;
}

async function renderPackage(): Promise<string> {
  const { renderGraphiQL } = await importPackage();
  if (typeof renderGraphiQL !== "function") {
    throw new TypeError(`Cannot use the package ${PACKAGE}: it has no renderGraphiQL()`);
  }
  return String(renderGraphiQL({ title: "GraphiQL" }));
}

async function importPackage(): Promise<Record<string, unknown>> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ PACKAGE);
  } catch (cause) {
    throw new Error(
      `Cannot import ${PACKAGE}: add the package to the project; in a bundle or a service worker ` +
        "set the option graphiql to a function that creates the page",
      { cause },
    );
  }
}

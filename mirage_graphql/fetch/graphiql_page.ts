/** Makes the page: HTML that asks the network for nothing but answers of this endpoint. */
export type RenderPage = () => string | Promise<string>;

/** Which page a browser gets: GraphiQL, none, or one of the host's own. */
export type GraphiQLOption = boolean | RenderPage;

/** A name in a variable, so that no bundler looks for a package that may be missing. */
const PACKAGE = "@graphql-yoga/render-graphiql";

let rendered: Promise<string> | undefined;

/** Tells a request of a browser that opens the address: it would rather have HTML than JSON. */
export function wantsPage(request: Request): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const accept = request.headers.get("accept");
  return accept !== null && /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(accept);
}

/** Answers with the page, or says which package is missing. */
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

/** The page has 9 MB: it is made when it is first asked for, and then kept. */
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
        "give the option graphiql a function that makes the page",
      { cause },
    );
  }
}

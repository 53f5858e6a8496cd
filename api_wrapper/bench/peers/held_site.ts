/** A request as the page sees it. */
export interface ReceivedRequest {
  readonly path: string;
  /** Whether the browser has closed its connection. */
  readonly aborted: boolean;
}

interface Held {
  readonly path: string;
  aborted: boolean;
  readonly answer: PromiseWithResolvers<Response>;
}

/**
 * Creates a handler that holds every request for `/posts/...` until the page says what to answer:
 * `GET /held` lists them, `POST /held/<number>?status=200` answers one with its body, and
 * `DELETE /held` answers and forgets all.
 */
export function createHeldSite(): (request: Request) => Promise<Response> | undefined {
  const held: Held[] = [];
  return (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith("/posts/")) return hold(request, pathname);
    if (!pathname.startsWith("/held")) return undefined;
    return control(request, Number(pathname.split("/")[2]), Number(searchParams.get("status")));
  };

  function hold(request: Request, path: string): Promise<Response> {
    const one: Held = { path, aborted: false, answer: Promise.withResolvers() };
    held.push(one);
    request.signal.addEventListener("abort", () => {
      one.aborted = true;
      one.answer.resolve(new Response());
    });
    return one.answer.promise;
  }

  async function control(request: Request, at: number, status: number): Promise<Response> {
    if (request.method === "POST") {
      held[at]?.answer.resolve(answerOf(await request.json(), status));
    }
    if (request.method === "DELETE") {
      for (const { answer } of held.splice(0)) answer.resolve(answerOf({}, 200));
    }
    return answerOf(held.map(({ path, aborted }): ReceivedRequest => ({ path, aborted })), 200);
  }
}

/** The cache of the browser must not answer for the site. */
function answerOf(body: unknown, status: number): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}

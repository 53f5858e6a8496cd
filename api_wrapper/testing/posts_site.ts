/** An entry of the site. */
export interface SitePost {
  readonly id: number;
  readonly title: string;
}

/** A small REST site in memory, with `/posts`, `/users` and `/slow`, which never answers. */
export interface PostsSite {
  readonly handle: (request: Request) => Promise<Response>;
  /** Every request so far, such as `GET /posts/7`. */
  readonly seen: readonly string[];
  /** Resolves when a request has arrived. */
  arrived(line: string): Promise<void>;
  /** Resolves when the client has closed a request's connection. */
  hungUp(line: string): Promise<void>;
}

/** Creates a site with three posts below a path. */
export function createPostsSite(root = ""): PostsSite {
  const posts = new Map<number, SitePost>();
  for (const id of [1, 2, 3]) posts.set(id, { id, title: `Post ${id}` });
  const seen: string[] = [];
  const marks = new Map<string, PromiseWithResolvers<void>>();

  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const line = `${request.method} ${pathname}${search}`;
    seen.push(line);
    mark(`arrived ${line}`).resolve();
    const [, folder, id] = pathname.slice(root.length).split("/");
    if (folder === "slow") return await hang(request, line);
    if (folder === "users") return Response.json([{ name: "Ada" }]);
    if (folder !== "posts") return new Response("Not found", { status: 404 });
    return await answer(request, id ? Number(id) : undefined);
  };

  return {
    handle,
    seen,
    arrived: (line) => mark(`arrived ${line}`).promise,
    hungUp: (line) => mark(`hung up ${line}`).promise,
  };

  function mark(name: string): PromiseWithResolvers<void> {
    const known = marks.get(name) ?? Promise.withResolvers<void>();
    marks.set(name, known);
    return known;
  }

  function hang({ signal }: Request, line: string): Promise<Response> {
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        mark(`hung up ${line}`).resolve();
        resolve(new Response(null, { status: 499 }));
      });
    });
  }

  async function answer(request: Request, id?: number): Promise<Response> {
    if (request.method === "POST") return put(posts.size + 1, await request.json(), 201);
    if (id === undefined) return Response.json([...posts.values()]);
    const post = posts.get(id);
    if (post === undefined) return Response.json({ message: "No such post" }, { status: 404 });
    if (request.method === "GET") return Response.json(post);
    if (request.method === "DELETE") return remove(id);
    return put(id, { ...request.method === "PATCH" && post, ...await request.json() }, 200);
  }

  function put(id: number, body: Omit<SitePost, "id">, status: number): Response {
    posts.set(id, { ...body, id });
    return Response.json({ ...body, id }, { status });
  }

  function remove(id: number): Response {
    posts.delete(id);
    return new Response(null, { status: 204 });
  }
}

/** A site on a free port of the loopback interface. */
export interface ServedSite extends PostsSite, AsyncDisposable {
  readonly url: string;
}

/** Serves a new site until the block ends. */
export function servePostsSite(): ServedSite {
  const site = createPostsSite();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, site.handle);
  return {
    ...site,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

import { createServer } from "miragejs";
import { createFetchInterceptor, createGraphQLHandler } from "../mod.ts";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]! }
  type Subscription { personCreated: Person! }
`;
const PLATFORM = { fetch, Headers, Request, Response, AbortController, xhr: globalXhr() };

/** Only pages have it. */
function globalXhr(): unknown {
  return Reflect.get(globalThis, "XMLHttpRequest");
}

function sendXhr(method: string, path: string, body?: string): Promise<[number, string]> {
  return new Promise((resolve) => {
    const xhr = Reflect.construct(globalXhr() as NewableFunction, []);
    xhr.open(method, path);
    xhr.setRequestHeader("Content-Type", "application/json");
    xhr.onload = () => resolve([xhr.status, xhr.responseText]);
    xhr.send(body);
  });
}

async function sendFetch(path: string, init?: RequestInit): Promise<[number, string]> {
  const response = await fetch(path, init);
  return [response.status, await response.text()];
}

/** Runs in a page: what `fetch` and `XMLHttpRequest` get from the routes of one server. */
async function useBoth(): Promise<unknown> {
  const server = createServer({
    ...createFetchInterceptor(),
    environment: "test",
    routes() {
      this.namespace = "api";
      this.post("/graphql", createGraphQLHandler(graphQLSchema, this.schema));
      this.get("/movies/:id", (_schema, { params }) => [params.id]);
      this.namespace = "";
      this.passthrough("/real");
      this.passthrough(({ url }) => url.endsWith("?real"));
    },
  });
  server.db.loadData({ people: [{ name: "Ada" }] });
  const body = JSON.stringify({ query: "{ people { name } }" });
  const post = { method: "POST", headers: { "Content-Type": "application/json" } };
  const events = { ...post.headers, Accept: "text/event-stream" };
  const query = "subscription { personCreated { name } }";
  const stream = await fetch("/api/graphql", {
    ...post,
    headers: events,
    body: JSON.stringify({ query }),
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  server.db.people?.insert({ name: "Zoë" });
  const event = (await reader?.read())?.value;
  await reader?.cancel();
  const seen = {
    event,
    posted: [
      await sendXhr("POST", "/api/graphql", body),
      await sendFetch("/api/graphql", {
        ...post,
        body,
      }),
    ],
    movies: [await sendXhr("GET", "/api/movies/7"), await sendFetch("/api/movies/7")],
    passed: [
      await sendXhr("GET", "/real"),
      await sendFetch("/real"),
      await sendXhr("GET", "/api/movies/7?real"),
      await sendFetch("/api/movies/7?real"),
    ],
    isNative: Response === PLATFORM.Response && Request === PLATFORM.Request,
  };
  server.shutdown();
  const { xhr, ...others } = PLATFORM;
  const isRestored = globalXhr() === xhr &&
    Object.entries(others).every(([name, value]) => Reflect.get(globalThis, name) === value);
  return { ...seen, isRestored };
}

Object.assign(globalThis, { useBoth });

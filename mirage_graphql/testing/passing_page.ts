import { createServer } from "miragejs";
import { createFetchHandler, createFetchInterceptor, createGraphQLHandler } from "../mod.ts";

const MOCK = "type Person { name: String! } type Query { people: [Person!]! }";
const BOTH = "type Person { name: String! } type Query { people: [Person!]!, total: Int }";
const resolvers = { Query: { people: () => [{ name: "Ada" }] } };

/** The API of the site that serves the page. */
const API = "/graphql";

function toInit(query: string): RequestInit {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify({ query }) };
}

async function send(query: string, path: string): Promise<string> {
  return await (await fetch(path, toInit(query))).text();
}

function sendXhr(query: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const xhr = Reflect.construct(Reflect.get(globalThis, "XMLHttpRequest") as NewableFunction, []);
    const { method, body } = toInit(query);
    xhr.open(method, path);
    xhr.setRequestHeader("Content-Type", "application/json");
    xhr.onloadend = () => resolve(xhr.responseText);
    xhr.send(body);
  });
}

async function useServer(interceptor: object): Promise<unknown> {
  const server = createServer({
    ...interceptor,
    environment: "test",
    routes() {
      this.post(API, createGraphQLHandler(MOCK, this.schema, { passthrough: ["Total"] }));
      const merged = { mergeInto: API, resolvers };
      this.post("/merged", createGraphQLHandler(BOTH, this.schema, merged));
    },
  });
  server.db.loadData({ people: [{ name: "Ada" }] });
  const handler = createFetchHandler(MOCK, server.schema, { passthrough: ["Total"] });
  const request = new Request(new URL(API, location.href), toInit("query Total { total }"));
  try {
    return {
      mocked: await send("{ people { name } }", API),
      passed: await send("query Total { total }", API),
      passedByXhr: await sendXhr("query Total { total }", API),
      merged: await send("{ total people { name } }", "/merged"),
      fetchHandler: await (await handler(request)).text(),
    };
  } finally {
    server.shutdown();
  }
}

/** Runs in a page: what is passed on to the page's site, with either interceptor. */
async function passOn(): Promise<unknown> {
  return { mirage: await useServer({}), ours: await useServer(createFetchInterceptor()) };
}

Object.assign(globalThis, { passOn });

import { createServer } from "miragejs";
import { buildSchema } from "graphql";
import { createExecutor } from "../execution/executor.ts";
import { createRouteHandler } from "../http/route_handler.ts";

/**
 * Runs in a page: returns what fetch and XMLHttpRequest receive from a route of Mirage's own
 * interceptor.
 */
export async function askRoute(): Promise<unknown> {
  const root = {
    hello: ({ name }: { name: string }) => `Hello, ${name}`,
    read: ({ file }: { file: File }) => file.text(),
  };
  const graphQLSchema = buildSchema(`
    scalar Upload
    type Query { hello(name: String): String }
    type Mutation { read(file: Upload!): String }
  `);
  const handler = createRouteHandler(createExecutor(graphQLSchema, { mockSchema: {}, root }));
  const server = createServer({
    environment: "test",
    routes() {
      this.post("/graphql", handler);
      this.get("/graphql", handler);
    },
  });
  const query = '{ hello(name: "Zoë") }';
  const body = JSON.stringify({ query });
  const json = { "Content-Type": "application/json" };
  const read = async (response: Promise<Response>) => {
    const { status, headers } = await response;
    return [status, headers.get("content-type"), await (await response).text()];
  };
  const failure = async () => {
    handler.failNext("*", "network");
    return await fetch("/graphql", { method: "POST", body, headers: json }).catch(String);
  };
  const failureOfXhr = async () => {
    handler.failNext("*", "network");
    const xhr = new XMLHttpRequest();
    const events: string[] = [];
    const ended = new Promise((resolve) => xhr.onloadend = resolve);
    xhr.onerror = () => events.push("onerror");
    xhr.addEventListener("error", () => events.push("error"));
    xhr.onload = () => events.push("onload");
    xhr.open("POST", "/graphql");
    xhr.setRequestHeader("Content-Type", "application/json");
    xhr.send(body);
    await ended;
    return [...events, xhr.status];
  };
  const timeout = async () => {
    handler.failNext("*", "timeout");
    const { signal, abort } = controllerOf();
    const asked = fetch("/graphql", { method: "POST", body, headers: json, signal });
    setTimeout(abort, 20);
    return await asked.catch(({ name }: Error) => name);
  };
  const upload = async () => {
    const form = new FormData();
    const query = "mutation ($file: Upload!) { read(file: $file) }";
    form.set("operations", JSON.stringify({ query, variables: { file: null } }));
    form.set("map", '{ "0": ["variables.file"] }');
    form.set("0", new File(["Zoë"], "name.txt"));
    return await read(fetch("/graphql", { method: "POST", body: form }));
  };
  const answers = {
    uploaded: await upload(),
    network: await failure(),
    networkOfXhr: await failureOfXhr(),
    timeout: await timeout(),
    posted: await read(fetch("/graphql", { method: "POST", body, headers: json })),
    got: await read(fetch(`/graphql?query=${encodeURIComponent(query)}`)),
    text: (await read(fetch("/graphql", { method: "POST", body })))[0],
    bad: (await read(fetch("/graphql", { method: "POST", body: "{", headers: json })))[0],
  };
  server.shutdown();
  return answers;
}

function controllerOf() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

Object.assign(globalThis, { askRoute });

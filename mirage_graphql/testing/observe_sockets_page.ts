import { createWebSocketInterceptor } from "../ws.ts";
import { errorOf, observeSocket, SOCKET_ACTS } from "./observe_socket.ts";
import { createSeedServer } from "./seed_server.ts";

const graphQLSchema = "type Query { size: Int }";

/** What needs no open socket: the errors of the arguments, and the last values. */
async function observeArguments(url: string): Promise<unknown> {
  const lists = [["a", "a"], ["a b"], [""], "a", ["A", "a"]];
  const errors = lists.map((protocols) =>
    errorOf(() => void new WebSocket(url, protocols).close())
  );
  const socket = new WebSocket(url, "graphql-transport-ws");
  const codes = [999, 1001, 2999, 5000, NaN].map((code) => errorOf(() => socket.close(code)));
  const reason = errorOf(() => socket.close(1000, "ë".repeat(62)));
  const closed = new Promise((resolve) => socket.onclose = resolve);
  socket.onopen = () => socket.close();
  await closed;
  socket.send("Zoë");
  return [errors, codes, reason, socket.bufferedAmount, errorOf(() => new WebSocket(`${url}#a`))];
}

/** Runs in a page: the same with a socket of the browser and one that is intercepted. */
async function observeBoth(): Promise<unknown> {
  const { host } = globalThis.location;
  const { schema } = createSeedServer({ interceptor: { create() {}, shutdown() {} } });
  const platform = WebSocket;
  const interceptor = createWebSocketInterceptor("/mock", graphQLSchema, schema);
  const seen: Record<string, unknown> = {};
  for (const kind of ["real", "mock"]) {
    const url = `ws://${host}/${kind}`;
    const observed = [await observeArguments(url)];
    for (const act of Object.values(SOCKET_ACTS)) observed.push(await observeSocket(url, act));
    observed.push(await observeSocket(url, () => {}, { protocols: ["soap"] }));
    seen[kind] = JSON.stringify(observed);
  }
  interceptor.restore();
  return { ...seen, isRestored: WebSocket === platform };
}

Object.assign(globalThis, { observeBoth });

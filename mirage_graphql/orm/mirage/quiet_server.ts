import { createServer, type Server } from "miragejs";

/**
 * With an interceptor of its own, Mirage leaves `fetch` and `XMLHttpRequest` of a page alone; what it
 * puts on `window` is removed.
 */
export function createQuietServer(): Server {
  const interceptor = { create() {}, config() {}, start() {}, shutdown() {} };
  const known = Object.getOwnPropertyDescriptor(globalThis, "server");
  const server = createServer({ environment: "test", logging: false, ...{ interceptor } });
  if (known !== undefined) Object.defineProperty(globalThis, "server", known);
  else Reflect.deleteProperty(globalThis, "server");
  return server;
}

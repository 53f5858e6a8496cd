import { createServer as createMirageServer } from "miragejs";
import { createFetchInterceptor } from "@trestle/mirage-graphql";

let running;

/** `createServer()` of Mirage, which intercepts `fetch` on Deno and Node too; one server at a time. */
export function createServer(config) {
  running?.shutdown();
  const interceptor = "window" in globalThis ? {} : createFetchInterceptor();
  return running = createMirageServer({ ...interceptor, environment: "test", ...config });
}

/** Ends the server that was created last. */
export function stopServer() {
  running?.shutdown();
}

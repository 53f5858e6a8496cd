import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServeArgs } from "./args.ts";
import { countText, createLiveMock, type LiveMock, type ServiceLog } from "./live_mock.ts";
import { createNodeListener } from "./node_listener.ts";
import { reasonOf } from "./schema_files.ts";
import { ServeError } from "./serve_error.ts";

/** A running mock. */
export interface MockService extends AsyncDisposable {
  /** Its address, such as `http://127.0.0.1:4000/`. */
  readonly url: string;
}

/**
 * Serves a mock, and reads its files again when they change; errors are reported, and the last
 * valid mock keeps running.
 *
 * @throws {ServeError} If a file is invalid at the start, or the address can't be used.
 */
export async function serveMock(args: ServeArgs, log: ServiceLog): Promise<MockService> {
  const live = createLiveMock(args, log);
  const { label, mock, config: { host = "127.0.0.1", port = 4000 } } = await live.load();
  const current = () => live.current ?? mock;
  const listener = createNodeListener({
    respond: (request) => current().respond(request),
    refuse: (head) => current().refuse(head),
    accept: (socket, request) => current().accept(socket, request),
  });
  const server = createServer(listener.request).on("upgrade", listener.upgrade);
  try {
    const url = await listen(server, host, port);
    live.watch();
    log.info(`Serving ${label} at ${url}: ${countText(mock.counts)}`);
    return { url, [Symbol.asyncDispose]: () => close(server, live) };
  } catch (error) {
    await live[Symbol.asyncDispose]();
    throw error;
  }
}

async function close(server: Server, live: LiveMock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await live[Symbol.asyncDispose]();
  server.closeAllConnections();
  await closed;
}

/** Listens, and resolves with the address. */
async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(new ServeError(`Cannot listen on ${host}:${port}: ${reasonOf(cause)}`, { cause }));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
  return toUrl(server.address());
}

/** A server that listens on a port has its address in this form. */
function toUrl(address: AddressInfo | string | null): string {
  if (typeof address !== "object" || address === null) return `${address}`;
  const { address: host, port } = address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}

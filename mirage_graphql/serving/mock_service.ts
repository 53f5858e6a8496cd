import { StreamBreak } from "../fetch/result_body.ts";
import type { ServeArgs } from "./args.ts";
import { createMockReader } from "./mock_reader.ts";
import { ServeError } from "./serve_error.ts";
import { reasonOf } from "./sources/read_file.ts";
import { watchFiles } from "./sources/watch_files.ts";

/** Messages of the service. */
export interface ServiceLog {
  /** Reports progress. */
  info(text: string): void;
  /** Reports errors that the user has to fix. */
  error(text: string): void;
}

/** A running mock. */
export interface MockService extends AsyncDisposable {
  /** Its address, such as `http://127.0.0.1:4000/`. */
  readonly url: string;
}

/**
 * Serves a mock, and reads its files again when they change; errors are reported, and the last
 * valid mock keeps running, even if the files can't be watched.
 *
 * @throws {ServeError} If a file is invalid at the start, or the address can't be used.
 */
export async function serveMock(args: ServeArgs, log: ServiceLog): Promise<MockService> {
  await using stack = new AsyncDisposableStack();
  const reader = createMockReader(args);
  const { label, mock: first, config: { host = "127.0.0.1", port = 4000 } } = await reader.read();
  let mock = first;
  const server = listen(host, port, (request) => mock.respond(request));
  stack.defer(() => server.shutdown());
  stack.defer(() => mock.close());
  let reading = Promise.resolve();
  stack.defer(() => reading);
  const reload = async () => {
    try {
      const { mock: next } = await reader.read();
      mock.close();
      mock = next;
      log.info(`Read again: ${countText(next.counts)}`);
    } catch (error) {
      log.error(`${reasonOf(error)}\nThe last valid version keeps running`);
    }
  };
  stack.use(
    await watchFiles(reader.paths, {
      onChange: () => {
        reading = reading.then(reload);
      },
      onError: (reason) => log.error(unwatchedText(label, reason)),
    }),
  );
  const url = toUrl(server.addr);
  log.info(`Serving ${label} at ${url}: ${countText(mock.counts)}`);
  const owned = stack.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Explains that changes are not noticed, with what to do about a limit of the system. */
function unwatchedText(label: string, reason: string): string {
  const advice = LIMITS.find(({ pattern }) => pattern.test(reason))?.advice ?? "";
  return `Cannot watch "${label}" for changes: ${reason}${advice}\n` +
    "The mock keeps running; it reads new changes after a restart";
}

/** How Deno reports the limits of Linux. */
const LIMITS = [
  { pattern: /watch limit/i, advice: "; raise fs.inotify.max_user_watches" },
  {
    pattern: /too many open files/i,
    advice: "; raise fs.inotify.max_user_instances, or the limit of open files",
  },
] as const;

function listen(
  hostname: string,
  port: number,
  answer: (request: Request) => Promise<Response>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ hostname, port, onListen() {}, onError }, answer);
  } catch (cause) {
    throw new ServeError(`Cannot listen on ${hostname}:${port}: ${reasonOf(cause)}`, { cause });
  }
}

/** A stream that was broken off on purpose is no fault. */
function onError(error: unknown): Response {
  if (!(error instanceof StreamBreak)) console.error(error);
  return new Response("Internal Server Error", { status: 500 });
}

function toUrl({ hostname, port }: Deno.NetAddr): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}/`;
}

/** This many fit on a line. */
const MAX_NAMES = 8;

/** The number of records, by collection if there are few of them. */
export function countText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  if (parts.length === 0) return "no records";
  if (parts.length <= MAX_NAMES) return parts.join(", ");
  const total = Object.values(counts).reduce((sum, count) => sum + count);
  return `${total} records of ${parts.length} types`;
}

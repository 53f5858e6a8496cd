import type { ServeSettings } from "./args.ts";
import { loadMock, type Mock, type ReadFile } from "./load_mock.ts";
import { ServeError, toServeError } from "./serve_error.ts";
import { watchFiles } from "./watch_files.ts";

/** What the service tells people. */
export interface ServiceLog {
  /** Says what goes on. */
  info(text: string): void;
  /** Says what has to be mended. */
  error(text: string): void;
}

/** A mock that is served. */
export interface MockService extends AsyncDisposable {
  /** Where it answers, such as `http://127.0.0.1:4000/`. */
  readonly url: string;
}

/**
 * Serves a mock, and reads its files again when they change: a broken one is told of, and the last
 * good mock goes on.
 *
 * @throws {ServeError} Where a file is broken at the start, or the address can't be listened on.
 */
export async function serveMock(settings: ServeSettings, log: ServiceLog): Promise<MockService> {
  const { schemaFile, seedFile, hostname, port } = settings;
  let mock = await readMock(settings);
  const server = listen(hostname, port, (request) => mock.answer(request));
  let reading = Promise.resolve();
  const reload = async () => {
    try {
      const next = await readMock(settings);
      mock.close();
      mock = next;
      log.info(`Read again: ${countText(next.counts)}`);
    } catch (error) {
      log.error(
        `${error instanceof Error ? error.message : error}\nThe last good one is served on`,
      );
    }
  };
  const watcher = watchFiles(seedFile === undefined ? [schemaFile] : [schemaFile, seedFile], () => {
    reading = reading.then(reload);
  });
  const url = toUrl(server.addr);
  log.info(`Serving ${schemaFile} at ${url}: ${countText(mock.counts)}`);
  return {
    url,
    async [Symbol.asyncDispose]() {
      watcher[Symbol.dispose]();
      await reading;
      mock.close();
      await server.shutdown();
    },
  };
}

async function readMock({ schemaFile, seedFile }: ServeSettings): Promise<Mock> {
  const schema = await read(schemaFile);
  return loadMock(schema, seedFile === undefined ? undefined : await read(seedFile));
}

async function read(path: string): Promise<ReadFile> {
  try {
    const bytes = await Deno.readFile(path);
    // ignores a byte order mark, which some editors write and JSON.parse() refuses
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (cause) {
    throw toServeError(path, [
      new ServeError(`Cannot read the file: ${reasonOf(cause)}`, { cause }),
    ]);
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof TypeError) return "it is not UTF-8";
  return cause instanceof Error ? cause.message : String(cause);
}

function listen(
  hostname: string,
  port: number,
  answer: (request: Request) => Promise<Response>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ hostname, port, onListen() {} }, answer);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServeError(`Cannot listen on ${hostname}:${port}: ${reason}`, { cause });
  }
}

function toUrl({ hostname, port }: Deno.NetAddr): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}/`;
}

/** As many fit on a line. */
const MAX_NAMES = 8;

/** Says how many records there are, by collection where these are few. */
export function countText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  if (parts.length === 0) return "no records";
  if (parts.length <= MAX_NAMES) return parts.join(", ");
  const total = Object.values(counts).reduce((sum, count) => sum + count);
  return `${total} records of ${parts.length} types`;
}

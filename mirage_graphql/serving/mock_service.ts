import type { ServeSettings } from "./args.ts";
import { loadMock, type Mock, type ReadFile } from "./load_mock.ts";
import { ServeError, toServeError } from "./serve_error.ts";
import { watchFiles } from "./watch_files.ts";

/** Messages of the service. */
export interface ServiceLog {
  /** Reports progress. */
  info(text: string): void;
  /** Reports what has to be fixed. */
  error(text: string): void;
}

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
export async function serveMock(settings: ServeSettings, log: ServiceLog): Promise<MockService> {
  const { schemaFile, seedFile, hostname, port } = settings;
  let mock = await readMock(settings);
  const server = listen(hostname, port, (request) => mock.respond(request));
  let reading = Promise.resolve();
  const reload = async () => {
    try {
      const next = await readMock(settings);
      mock.close();
      mock = next;
      log.info(`Read again: ${countText(next.counts)}`);
    } catch (error) {
      log.error(
        `${error instanceof Error ? error.message : error}\nThe last valid version keeps running`,
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

/** This many fit on a line. */
const MAX_NAMES = 8;

/** The number of records, by collection if there are few collections. */
export function countText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  if (parts.length === 0) return "no records";
  if (parts.length <= MAX_NAMES) return parts.join(", ");
  const total = Object.values(counts).reduce((sum, count) => sum + count);
  return `${total} records of ${parts.length} types`;
}

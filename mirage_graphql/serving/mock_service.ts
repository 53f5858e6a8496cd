import { StreamBreak } from "../streams/result_body.ts";
import type { ServeArgs } from "./args.ts";
import { introspect, isUrl } from "./introspect.ts";
import { loadConfig } from "./load_config.ts";
import { loadMock, type Mock } from "./load_mock.ts";
import { findSchemaFiles, type ReadFile, readFile, reasonOf } from "./schema_files.ts";
import type { ServeConfig } from "./serve_config.ts";
import { ServeError } from "./serve_error.ts";
import { watchFiles } from "./watch_files.ts";
import type { WatchedPaths } from "./watch_scope.ts";

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

/** A mock, and the settings that it was loaded with. */
interface LoadedMock {
  readonly mock: Mock;
  readonly config: ServeConfig;
  /** The schema's files or its URL, as given. */
  readonly label: string;
}

/** Reads all sources of a mock, again whenever they change. */
interface MockReader {
  /**
   * Reads config, schema and seeds, and loads the mock.
   *
   * @throws {ServeError} If one of them can't be used.
   */
  read(): Promise<LoadedMock>;
  /** The files and folders that it reads. */
  paths(): Promise<WatchedPaths>;
}

/** Creates the reader of the files that a command line names; a URL is requested once. */
function createMockReader({ given, seedFile, configFile }: ServeArgs): MockReader {
  let config: ServeConfig = given;
  const asked = new Map<string, Promise<ReadFile>>();
  const ask = (url: string): Promise<ReadFile> => {
    const answer = asked.get(url) ?? introspect(url, { headers: config.headers });
    asked.set(url, answer);
    answer.catch(() => asked.delete(url));
    return answer;
  };
  return {
    async read() {
      config = { ...configFile === undefined ? {} : await loadConfig(configFile), ...given };
      const sources = sourcesOf(config);
      const [url] = sources.filter(isUrl);
      const files = url === undefined
        ? await Promise.all((await findSchemaFiles(sources)).files.map(readFile))
        : [await ask(url)];
      const seeds = seedFile === undefined ? undefined : await readFile(seedFile);
      const mock = await loadMock(files, { seedFile: seeds, configFile, config });
      return { mock, config, label: sources.join(", ") };
    },
    async paths() {
      const { files, folders } = await findSchemaFiles(
        sourcesOf(config).filter((one) => !isUrl(one)),
      );
      const others = [seedFile, configFile].filter((path) => path !== undefined);
      return { files: [...files, ...others], folders };
    },
  };
}

function sourcesOf({ schema = [], headers }: ServeConfig): string[] {
  const sources = [schema].flat();
  const [url] = sources.filter(isUrl);
  if (sources.length === 0) {
    throw new ServeError("Cannot serve: neither the command nor the config file names a schema");
  }
  if (url !== undefined && sources.length > 1) {
    throw new ServeError(`Cannot serve "${url}" with other sources: a URL has the whole schema`);
  }
  if (url === undefined && headers !== undefined) {
    throw new ServeError(
      "Cannot use headers: only the request to a URL has them, and the schema is in files",
    );
  }
  return sources;
}

import type { ServeArgs } from "./args.ts";
import { introspect, isUrl } from "./introspect.ts";
import { loadConfig } from "./load_config.ts";
import { loadMock, type Mock } from "./load_mock.ts";
import { findSchemaFiles, type ReadFile, readFile, reasonOf } from "./schema_files.ts";
import type { ServeConfig } from "./serve_config.ts";
import { ServeError } from "./serve_error.ts";
import { fingerprintOf, watchFiles } from "./watch_files.ts";

/** Messages for the user. */
export interface ServiceLog {
  /** Reports progress. */
  info(text: string): void;
  /** Reports errors that the user has to fix. */
  error(text: string): void;
}

/** A mock whose files are read again when they change. */
export interface LiveMock extends AsyncDisposable {
  /** The last valid mock; `undefined` until one was loaded. */
  readonly current: Mock | undefined;
  /**
   * Reads the files, and replaces the mock; subscriptions to the former one are broken off.
   *
   * @throws {ServeError} If a file is invalid; the last valid mock stays.
   */
  load(): Promise<LoadedMock>;
  /** Loads again whenever a file has changed since the last load, and logs each. */
  watch(): void;
}

/** A mock, and the settings that it was loaded with. */
export interface LoadedMock {
  readonly mock: Mock;
  readonly config: ServeConfig;
  /** The schema's files or its URL, as given. */
  readonly label: string;
}

/** Creates a mock from the files that arguments name; nothing is read yet. */
export function createLiveMock(args: ServeArgs, log: ServiceLog): LiveMock {
  const reader = createMockReader(args);
  let current: Mock | undefined;
  let watching: AsyncDisposable | undefined;
  const load = async () => {
    const loaded = await reader.read();
    current?.close();
    current = loaded.mock;
    return loaded;
  };
  const reload = async () => {
    try {
      const { mock } = await load();
      log.info(`Read again: ${countText(mock.counts)}`);
    } catch (error) {
      const rest = current === undefined ? "" : "\nThe last valid version keeps running";
      log.error(`${reasonOf(error)}${rest}`);
    }
  };
  return {
    get current() {
      return current;
    },
    load,
    watch() {
      watching ??= watchFiles({ look: reader.look, seen: reader.seen, onChange: reload });
    },
    async [Symbol.asyncDispose]() {
      await watching?.[Symbol.asyncDispose]();
      current?.close();
    },
  };
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

/** Reads all sources of a mock. */
interface MockReader {
  /**
   * Reads config, schema and seeds, and loads the mock.
   *
   * @throws {ServeError} If one of them can't be used.
   */
  read(): Promise<LoadedMock>;
  /** A fingerprint of the files that it reads. */
  look(): Promise<string>;
  /** The fingerprint as of the last `read()`. */
  readonly seen: string;
}

/** Creates the reader of the files that a command line names; a URL is requested once. */
function createMockReader({ given, seedFile, configFile }: ServeArgs): MockReader {
  let config: ServeConfig = given;
  let seen = "";
  const asked = new Map<string, Promise<ReadFile>>();
  const ask = (url: string): Promise<ReadFile> => {
    const answer = asked.get(url) ?? introspect(url, { headers: config.headers });
    asked.set(url, answer);
    answer.catch(() => asked.delete(url));
    return answer;
  };
  const look = async () => {
    const others = [seedFile, configFile].filter((path) => path !== undefined);
    try {
      const files = await findSchemaFiles(sourcesOf(config).filter((one) => !isUrl(one)));
      return await fingerprintOf([...files, ...others]);
    } catch (error) {
      return `${await fingerprintOf(others)}\n${reasonOf(error)}`;
    }
  };
  return {
    look,
    get seen() {
      return seen;
    },
    async read() {
      config = { ...configFile === undefined ? {} : await loadConfig(configFile), ...given };
      // what changes while it is read is read again
      seen = await look();
      const sources = sourcesOf(config);
      const [url] = sources.filter(isUrl);
      const files = url === undefined
        ? await Promise.all((await findSchemaFiles(sources)).map(readFile))
        : [await ask(url)];
      const seeds = seedFile === undefined ? undefined : await readFile(seedFile);
      const mock = await loadMock(files, { seedFile: seeds, configFile, config });
      return { mock, config, label: sources.join(", ") };
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

import type { ServeArgs } from "./args.ts";
import { loadConfig } from "./config/load_config.ts";
import type { ServeConfig } from "./config/serve_config.ts";
import { loadMock, type Mock } from "./load_mock.ts";
import { ServeError } from "./serve_error.ts";
import { introspect, isUrl } from "./sources/introspect.ts";
import { type ReadFile, readFile } from "./sources/read_file.ts";
import { findSchemaFiles } from "./sources/schema_files.ts";
import type { WatchedPaths } from "./sources/watch_scope.ts";

/** A mock, and the settings that it was loaded with. */
export interface LoadedMock {
  readonly mock: Mock;
  readonly config: ServeConfig;
  /** The schema's files or its URL, as given. */
  readonly label: string;
}

/** Reads all sources of a mock, again whenever they change. */
export interface MockReader {
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
export function createMockReader({ given, seedFile, configFile }: ServeArgs): MockReader {
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

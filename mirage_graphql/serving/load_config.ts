import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isUrl } from "./introspect.ts";
import { reasonOf } from "./schema_files.ts";
import type { ServeConfig } from "./serve_config.ts";
import { ServeError, toServeError } from "./serve_error.ts";

/** Loaded by a computed name: a start without a config file does not download what it imports. */
const CHECK_MODULE = new URL("./check_config.ts", import.meta.url).href;

/**
 * Imports a config file, a module in TypeScript or JavaScript, and checks its default export. A
 * file that has changed is imported again, but not the modules that it imports.
 *
 * @throws {ServeError} If it can't be imported, or its export can't be used.
 */
export async function loadConfig(path: string): Promise<ServeConfig> {
  const module = await importFile(path);
  if (!("default" in module)) {
    throw toServeError(path, ["Cannot use it: it has no default export with the settings"]);
  }
  const { checkConfig }: typeof import("./check_config.ts") = await import(CHECK_MODULE);
  try {
    const config = checkConfig(module.default);
    return config.schema === undefined ? config : { ...config, schema: sourcesOf(path, config) };
  } catch (error) {
    throw toServeError(path, [error]);
  }
}

async function importFile(path: string): Promise<object> {
  const url = pathToFileURL(resolve(path));
  try {
    const { mtimeMs, size } = await stat(path);
    url.search = `changed=${mtimeMs}-${size}`;
    return await import(url.href);
  } catch (cause) {
    const problem = new ServeError(`Cannot load the config file: ${reasonOf(cause)}`, { cause });
    throw toServeError(path, [problem]);
  }
}

/** Resolves paths relative to the folder of the config file. */
function sourcesOf(path: string, { schema = [] }: ServeConfig): string[] {
  return [schema].flat().map((source) =>
    isUrl(source) ? source : relative("", join(dirname(resolve(path)), source)) || "."
  );
}

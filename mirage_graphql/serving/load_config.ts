import { stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checkConfig } from "./check_config.ts";
import { isUrl } from "./introspect.ts";
import { reasonOf } from "./schema_files.ts";
import type { ServeConfig } from "./serve_config.ts";
import { ServeError, toServeError } from "./serve_error.ts";

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
    const reason = isUnknownType(cause) ? NO_TYPESCRIPT : reasonOf(cause);
    const problem = new ServeError(`Cannot load the config file: ${reason}`, { cause });
    throw toServeError(path, [problem]);
  }
}

function isUnknownType(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_UNKNOWN_FILE_EXTENSION";
}

const NO_TYPESCRIPT =
  "this version of Node reads no TypeScript; use Node 22.18 or newer, or a file " +
  "in JavaScript that ends with .mjs";

/** Resolves paths relative to the folder of the config file. */
function sourcesOf(path: string, { schema = [] }: ServeConfig): string[] {
  return [schema].flat().map((source) =>
    isUrl(source) ? source : relative("", resolve(dirname(path), source)) || "."
  );
}

import { MultipartOperations } from "../execution/graphql_request.ts";
import { type Refusal, refuse } from "../execution/outcome.ts";
import { prepareDataUrl } from "../shared/file_url.ts";
import { isMap } from "../shared/values.ts";

/** How many files a request may have, and how large they may be, in bytes. */
export interface UploadLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** Most bytes of all parts that are no files. @default {any number} */
  readonly maxBodyBytes?: number;
}

/**
 * Reads the form of a multipart request: `operations`, `map` and the files.
 *
 * @see https://github.com/jaydenseric/graphql-multipart-request-spec
 */
export async function readMultipart(
  form: FormData,
  { maxFiles, maxFileBytes, maxBodyBytes = Infinity }: UploadLimits,
): Promise<MultipartOperations | Refusal> {
  const textBytes = textBytesOf(form);
  if (textBytes > maxBodyBytes) {
    return refuse(
      413,
      `Cannot read the multipart request: without its files it has ${textBytes} bytes, ` +
        `maxBodyBytes is ${maxBodyBytes}`,
    );
  }
  const operations = readJson(form, "operations");
  if ("kind" in operations) return operations;
  const map = readJson(form, "map");
  if ("kind" in map) return map;
  if (!isPathMap(map.value)) return broken('"map" must be an object of lists of paths');
  const files = [...form].filter((entry): entry is [string, File] => typeof entry[1] !== "string");
  if (files.length > maxFiles) {
    return refuse(413, `Cannot take ${files.length} files: maxFiles is ${maxFiles}`);
  }
  const large = files.find(([, { size }]) => size > maxFileBytes);
  if (large !== undefined) {
    const [, { name, size }] = large;
    return refuse(
      413,
      `Cannot take "${name}": it has ${size} bytes, maxFileBytes is ${maxFileBytes}`,
    );
  }
  const holder = { operations: operations.value };
  for (const [key, paths] of Object.entries(map.value)) {
    const file = files.find(([name]) => name === key)?.[1];
    if (file === undefined) return broken(`"map" names the file "${key}", which is missing`);
    for (const path of paths) {
      if (!put(holder, ["operations", ...path.split(".")], file)) {
        return broken(`"map" names "${path}", where "operations" has no null`);
      }
    }
  }
  await Promise.all(files.map(([, file]) => prepareDataUrl(file)));
  return new MultipartOperations(holder.operations, form);
}

function textBytesOf(form: FormData): number {
  return [...form].reduce(
    (sum, [name, value]) => sum + (typeof value === "string" ? new Blob([name, value]).size : 0),
    0,
  );
}

function readJson(form: FormData, name: string): { readonly value: unknown } | Refusal {
  const text = form.get(name);
  if (typeof text !== "string") return broken(`"${name}" is missing`);
  try {
    return { value: JSON.parse(text) };
  } catch {
    return broken(`"${name}" is not JSON`);
  }
}

function isPathMap(value: unknown): value is Readonly<Record<string, readonly string[]>> {
  return isMap(value) &&
    Object.values(value).every((paths) =>
      Array.isArray(paths) && paths.every((path) => typeof path === "string")
    );
}

/** Replaces the `null` at the end of a path; `false` if there is none. */
function put(holder: object, path: readonly string[], file: File): boolean {
  let value: unknown = holder;
  for (const name of path.slice(0, -1)) {
    if (!hasOwn(value, name)) return false;
    value = value[name];
  }
  const last = path.at(-1) ?? "";
  if (!hasOwn(value, last) || value[last] !== null) return false;
  value[last] = file;
  return true;
}

function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

function broken(state: string): Refusal {
  return refuse(400, `Cannot read the multipart request: ${state}`);
}

import type { MultipartOperations } from "../execution/graphql_request.ts";
import type { Refusal } from "../execution/outcome.ts";
import type { UploadLimits } from "./multipart_request.ts";

/** How many files a request may upload, and how large they may be. */
export interface UploadOptions {
  /**
   * Maximum number of files in one request.
   * @default {20}
   */
  readonly maxFiles?: number;
  /**
   * Maximum size of one file in bytes.
   * @default {10_000_000}
   */
  readonly maxFileBytes?: number;
}

/**
 * Sets the defaults.
 *
 * @throws {RangeError} If a limit is not an integer of at least 1.
 */
export function toUploadLimits(options: UploadOptions): UploadLimits {
  const { maxFiles = 20, maxFileBytes = 10_000_000 } = options;
  for (const [name, value] of Object.entries({ maxFiles, maxFileBytes })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new RangeError(`Cannot use ${name} "${value}": it must be an integer of at least 1`);
  }
  return { maxFiles, maxFileBytes };
}

/** Reads the form of a multipart request; other handlers don't load its code. */
export async function readUpload(
  form: FormData,
  limits: UploadLimits,
): Promise<MultipartOperations | Refusal> {
  const { readMultipart } = await import("./multipart_request.ts");
  return await readMultipart(form, limits);
}

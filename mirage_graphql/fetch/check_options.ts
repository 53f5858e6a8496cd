import type { CorsOption } from "./cors.ts";

/** What a wrong value of would go unnoticed, and leave no bound. */
export interface CheckedOptions {
  readonly maxBodyBytes: number;
  readonly cors: CorsOption;
}

/**
 * Refuses what no request could ever fit, or any would.
 *
 * @throws {TypeError | RangeError} Where an option has a wrong shape, or a wrong value.
 */
export function checkOptions({ maxBodyBytes, cors }: CheckedOptions): void {
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes < 1) {
    throw new RangeError(
      `Cannot use maxBodyBytes "${maxBodyBytes}": it must be a whole number from 1 on`,
    );
  }
  if (typeof cors === "boolean") return;
  if (!Array.isArray(cors)) {
    throw new TypeError(`Cannot use cors "${cors}": it must be true, false or a list of origins`);
  }
  for (const origin of cors) checkOrigin(String(origin));
}

/** Schemes other than the web's have origins that are compared as they are. */
function checkOrigin(origin: string): void {
  if (origin === "*") {
    throw new RangeError('Cannot allow the origin "*" in a list: set cors to true');
  }
  const written = /^https?:/i.test(origin) && URL.canParse(origin)
    ? new URL(origin).origin
    : origin;
  if (written === origin) return;
  throw new RangeError(`Cannot allow the origin "${origin}": browsers write it "${written}"`);
}

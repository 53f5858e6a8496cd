import type { BatchOptions } from "./http_request.ts";

/**
 * Refuses a bound that bounds nothing.
 *
 * @throws {RangeError} Where the most is no whole number from 1 on.
 */
export function checkBatch({ batch = false }: BatchOptions): void {
  if (typeof batch === "boolean") return;
  const max: unknown = Object(batch).max;
  if (Number.isSafeInteger(max) && Number(max) >= 1) return;
  throw new RangeError(
    `Cannot use batch "${
      JSON.stringify(batch)
    }": it must be true, false or { max }, a whole number`,
  );
}

import { nearestName } from "../schema/nearest_name.ts";
import { ServeError } from "./serve_error.ts";

/** A value of the seed file, and its place there, such as `people[0].name`. */
export interface Found {
  readonly value: unknown;
  readonly place: string;
}

/** Tells objects from lists and other values. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Says what is wrong at a place of the seed file. */
export function fault(place: string, state: string): ServeError {
  return new ServeError(`${place}: Cannot use it: ${state}`);
}

/** Says that a name is not known there, and which one is like it. */
export function unknownName(
  { value, place }: Found,
  state: string,
  known: readonly string[],
): ServeError {
  const nearest = nearestName(String(value), known);
  return fault(place, `${state} "${value}"${nearest ? `; did you mean "${nearest}"` : ""}`);
}

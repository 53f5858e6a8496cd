import { isObject } from "./mirage.ts";

/** Tells what `await` would wait for. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value.then === "function";
}

import { isJsonObject } from "../../domain/json.ts";
import type { JobRequest } from "../../domain/job_service.ts";

/**
 * A digest of a request's tool and arguments, independent of the order of keys (SHA-256,
 * hexadecimal). It is salted, so that guessing can't reveal an argument.
 */
export async function digestOf(request: JobRequest, salt: string): Promise<string> {
  const { tool, args = {}, stdin = false } = request;
  const text = JSON.stringify([salt, tool, args, stdin], sortKeys);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1));
}

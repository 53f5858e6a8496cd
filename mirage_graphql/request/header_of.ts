import type { MockRequest } from "./graphql_request.ts";

/** A header of a request, whatever casing its name has; `undefined` where it is missing. */
export function headerOf(request: MockRequest, lowerName: string): string | undefined {
  const headers = request.requestHeaders;
  if (headers === undefined || headers === null) return undefined;
  const value = headers[lowerName];
  if (value !== undefined) return value;
  const name = Object.keys(headers).find((key) => key.toLowerCase() === lowerName);
  return name === undefined ? undefined : headers[name];
}

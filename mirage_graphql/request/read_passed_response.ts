import { isMirageResponse, type PassedResponse } from "./passed_response.ts";

/** Status, headers and body of a response that a resolver made. */
export interface ReadResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Reads a `Response` of Mirage or of fetch; the latter's body as text. */
export async function readPassedResponse(response: PassedResponse): Promise<ReadResponse> {
  if (!isMirageResponse(response)) {
    const headers = Object.fromEntries(response.headers);
    const type = response.headers.get("content-type");
    // the name must have this casing, or Mirage adds a second one
    if (type !== null) {
      delete headers["content-type"];
      headers["Content-Type"] = type;
    }
    return { status: response.status, headers, body: await response.clone().text() };
  }
  const rack = response.toRackResponse();
  if (!Array.isArray(rack)) {
    throw new TypeError(`Cannot pass on "${rack}": it is no Mirage Response`);
  }
  const [status = 200, headers = {}, body] = rack;
  return { status: Number(status), headers, body };
}

import { isMirageResponse, type PassedResponse } from "./passed_response.ts";
import { GraphQLRouteResponse } from "./route_response.ts";

/**
 * A `Response` that a resolver made, passed on by the route handler. Its body stands in `data`, as
 * in every Mirage `Response`, so that Mirage serializes models there.
 */
export class PassedRouteResponse extends GraphQLRouteResponse {
  /** Takes over status, headers and body. */
  constructor(status: number, headers: Readonly<Record<string, string>>, body: unknown) {
    super({ status, headers, body: {} });
    Object.assign(this, { body, data: body });
  }

  /** Status, headers and the body as Mirage has serialized it. */
  override toRackResponse(): [number, Record<string, string>, object] {
    const body: unknown = this.data;
    return [this.code, this.headers, body as object];
  }
}

/** Takes a `Response` of Mirage or of fetch as a route response. */
export async function passOnToMirage(response: PassedResponse): Promise<PassedRouteResponse> {
  const { status, headers, body } = await readPassedResponse(response);
  return new PassedRouteResponse(status, headers, body);
}

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

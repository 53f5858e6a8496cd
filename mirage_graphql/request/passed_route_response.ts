import type { PassedResponse } from "./passed_response.ts";
import { readPassedResponse } from "./read_passed_response.ts";
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

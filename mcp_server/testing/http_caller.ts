/** A response of the HTTP API. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body, or its text if it is not JSON. */
  readonly body: Record<string, unknown>;
}

/** Options of a request; the client may trust other certificates. */
export type CallInit = RequestInit & { readonly client?: Deno.HttpClient };

/** Calls a tool through `POST /api`. */
export function callApi(
  url: string,
  tool: string,
  args: object,
  init: CallInit = {},
): Promise<Answer> {
  return postApi(url, JSON.stringify({ tool, args }), init);
}

/** Posts any body to `/api` as JSON. */
export async function postApi(
  url: string,
  body: BodyInit,
  init: CallInit = {},
): Promise<Answer> {
  const headers = { "content-type": "application/json", ...init.headers };
  const response = await fetch(`${url}/api`, { method: "POST", ...init, body, headers });
  return await toAnswer(response);
}

/** Reads a whole response. */
export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: text.startsWith("{") ? JSON.parse(text) : { text } };
}

/**
 * Sends bytes over a TCP connection and reads the response's first line; for requests that
 * `fetch()` can't send.
 */
export async function rawStatus(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const bytes = new TextEncoder().encode(request);
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  const answer = new Uint8Array(4_096);
  const size = await connection.read(answer);
  return new TextDecoder().decode(answer.subarray(0, size ?? 0)).split("\r\n", 1)[0] ?? "";
}

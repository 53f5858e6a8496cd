/**
 * Fetches, and closes the connection when the signal aborts. Deno's `fetch()` doesn't if garbage
 * was collected after the response began: its own signal, which follows the caller's, is collected
 * too.
 */
export async function abortableFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(input, init);
  const { signal } = init;
  if (response.body === null || !signal) return response;
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
}

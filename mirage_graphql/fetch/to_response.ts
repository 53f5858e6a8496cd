import type { HttpAnswer } from "../request/http_response.ts";
import { readPassedResponse } from "../request/read_passed_response.ts";

/** The answer as a response of the fetch standard. */
export async function toResponse(answer: HttpAnswer): Promise<Response> {
  if (answer.kind === "json") {
    const { status, headers } = answer;
    return new Response(JSON.stringify(answer.body), { status, headers });
  }
  const { response } = answer;
  if (response instanceof Response) return response.clone();
  const { status, headers, body } = await readPassedResponse(response);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(isBodyless(status) ? null : text, { status, headers });
}

function isBodyless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

import type { GraphQLRequest } from "./graphql_request.ts";
import { type Refusal, refuse } from "./outcome.ts";

/** Reads one GraphQL request from what its JSON held. */
export function parseOne(body: unknown): GraphQLRequest | Refusal {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return refuse(400, `Cannot read the body: it must be a JSON object, got ${nameOf(body)}`);
  }
  const { query, variables, operationName, extensions } = body as Record<string, unknown>;
  if (typeof query !== "string") return refuseQuery(query, extensions);
  if (!isMap(variables)) return refuseParameter("variables", "an object", variables);
  if (!isMap(extensions)) return refuseParameter("extensions", "an object", extensions);
  if (typeof operationName !== "string" && operationName !== undefined && operationName !== null) {
    return refuseParameter("operationName", "a string", operationName);
  }
  return { query, variables, operationName: operationName || undefined, extensions };
}

/** A client that sends the hash of a document first sends the document when it reads this error. */
function refuseQuery(query: unknown, extensions: unknown): Refusal {
  if (query !== undefined && query !== null) return refuseParameter("query", "a string", query);
  if (isMap(extensions) && extensions?.persistedQuery !== undefined) {
    return refuse(200, "PersistedQueryNotSupported", {
      extensions: { code: "PERSISTED_QUERY_NOT_SUPPORTED" },
    });
  }
  return refuse(400, `Cannot answer the request: its "query" is missing`);
}

function refuseParameter(name: string, expected: string, value: unknown): Refusal {
  return refuse(400, `Cannot read "${name}": it must be ${expected}, got ${nameOf(value)}`);
}

function isMap(value: unknown): value is Record<string, unknown> | null | undefined {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `the ${typeof value} ${value}`;
}

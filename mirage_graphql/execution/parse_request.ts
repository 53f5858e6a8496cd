import type { PersistedId, ReceivedRequest } from "./graphql_request.ts";
import { type Refusal, refuse } from "./outcome.ts";

/** Parses one GraphQL request from its JSON value. */
export function parseOne(body: unknown): ReceivedRequest | Refusal {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return refuse(400, `Cannot read the body: it must be a JSON object, got ${nameOf(body)}`);
  }
  const { query, variables, operationName, extensions } = body as Record<string, unknown>;
  if (!isMap(variables)) return refuseParameter("variables", "an object", variables);
  if (!isMap(extensions)) return refuseParameter("extensions", "an object", extensions);
  if (typeof operationName !== "string" && operationName !== undefined && operationName !== null) {
    return refuseParameter("operationName", "a string", operationName);
  }
  const persisted = persistedIdOf(body, extensions);
  if (typeof query !== "string" && query !== undefined && query !== null) {
    return refuseParameter("query", "a string", query);
  }
  const one = { variables, operationName: operationName || undefined, extensions };
  if (typeof query !== "string") {
    return persisted === undefined ? NO_QUERY : { ...one, persisted };
  }
  return persisted === undefined ? { query, ...one } : { query, ...one, persisted };
}

const NO_QUERY = refuse(400, `Cannot answer the request: its "query" is missing`);

/** The id of a document, by any of the names that clients have for it. */
function persistedIdOf(
  body: object,
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): PersistedId | undefined {
  const query = extensions?.persistedQuery;
  const hash = isMap(query) ? query?.sha256Hash : undefined;
  if (typeof hash === "string" && hash !== "") return { id: hash, isHash: true };
  const id = "documentId" in body ? body.documentId : "id" in body ? body.id : undefined;
  return typeof id === "string" && id !== "" ? { id, isHash: false } : undefined;
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

import type { DocumentNode } from "graphql";
import type { ExecutableRequest, PromiseOrValue, ReceivedRequest } from "./graphql_request.ts";
import { isPromise } from "../shared/values.ts";
import { type Refusal, refuse } from "./outcome.ts";

/** Documents by id, or a function that looks one up; `undefined` if there is none. */
export type PersistedOperations =
  | Readonly<Record<string, string | DocumentNode>>
  | ((id: string) => PromiseOrValue<string | DocumentNode | null | undefined>);

/** Which requests may be sent without their documents, and which must be. */
export interface PersistedOptions {
  /**
   * Trusted documents, by the id that requests send instead: as `documentId`, `id` or
   * `extensions.persistedQuery.sha256Hash`.
   */
  readonly persistedOperations?: PersistedOperations;
  /**
   * Rejects documents that are not among `persistedOperations`; `handler.query()` still runs them.
   * @default {false}
   */
  readonly persistedOnly?: boolean;
  /**
   * Maximum number of documents of automatic persisted queries to keep.
   * @default {500}
   */
  readonly maxDocuments?: number;
}

/** Looks up the document of a request that has only its id; returns others unchanged. */
export type DocumentLookup = (
  request: ReceivedRequest,
) => PromiseOrValue<ExecutableRequest | Refusal>;

/** Longer documents are not kept, so that memory stays bounded. */
const MAX_CHARACTERS = 65_536;

/**
 * Looks up documents by their ids: among the trusted ones, and those that clients have already sent
 * with their SHA-256 hash (automatic persisted queries).
 */
export function createPersistedDocuments(options: PersistedOptions): DocumentLookup {
  const { persistedOperations, persistedOnly = false, maxDocuments = 500 } = options;
  const find = finderOf(persistedOperations);
  const kept = new Map<string, string>();

  function keep(hash: string, query: string): void {
    if (query.length > MAX_CHARACTERS || maxDocuments < 1) return;
    kept.delete(hash);
    const [oldest] = kept.keys();
    if (kept.size >= maxDocuments && oldest !== undefined) kept.delete(oldest);
    kept.set(hash, query);
  }

  /** A client that sends a document with its hash sends only the hash from then on. */
  async function register(request: ReceivedRequest, query: string, hash: string) {
    const actual = await sha256(query);
    if (actual !== undefined && actual !== hash.toLowerCase()) return refuseHash(hash, actual);
    keep(hash, query);
    return { ...request, query };
  }

  return (request) => {
    const { query, persisted } = request;
    if (query !== undefined && !persistedOnly) {
      return persisted?.isHash === true && kept.get(persisted.id) !== query
        ? register(request, query, persisted.id)
        : { ...request, query };
    }
    if (persisted === undefined) return UNKNOWN_DOCUMENT;
    const known = persistedOnly ? undefined : kept.get(persisted.id);
    const found = known ?? find(persisted.id);
    return isPromise(found)
      ? found.then((document) => toRequest(request, document))
      : toRequest(request, found);
  };
}

function toRequest(
  request: ReceivedRequest,
  document: string | DocumentNode | null | undefined,
): ExecutableRequest | Refusal {
  if (document !== undefined && document !== null) return { ...request, query: document };
  const { id = "", isHash = false } = request.persisted ?? {};
  const extensions = { code: "PERSISTED_QUERY_NOT_FOUND" };
  // clients react to this text by sending the document
  if (isHash) return refuse(200, "PersistedQueryNotFound", { extensions });
  const state = "persistedOperations has no document with this id";
  return refuse(404, `Cannot run the operation "${id}": ${state}`, { extensions });
}

const UNKNOWN_DOCUMENT = refuse(
  403,
  'Cannot run this document: only persisted operations are allowed, send the "documentId" of one',
  { extensions: { code: "PERSISTED_QUERY_ONLY" } },
);

function refuseHash(hash: string, actual: string): Refusal {
  return refuse(400, `Cannot keep the document: its SHA-256 hash is "${actual}", not "${hash}"`, {
    extensions: { code: "PERSISTED_QUERY_HASH_MISMATCH" },
  });
}

type Finder = Extract<PersistedOperations, (id: string) => unknown>;

function finderOf(persistedOperations: PersistedOperations | undefined): Finder {
  if (typeof persistedOperations === "function") return persistedOperations;
  const byId = new Map(Object.entries(persistedOperations ?? {}));
  return (id) => byId.get(id);
}

/** Pages without HTTPS have no `crypto.subtle`, so hashes are not checked there. */
async function sha256(text: string): Promise<string | undefined> {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined) return undefined;
  const digest = await subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

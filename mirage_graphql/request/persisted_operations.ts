import type { CompleteRequest, PersistedOptions } from "./persisted_documents.ts";

/**
 * Creates the function that completes requests. The first request that has the id of its document
 * loads the code that looks documents up.
 *
 * @throws {TypeError} If the options contradict each other, or have wrong types.
 */
export function createPersistedOperations(options: PersistedOptions): CompleteRequest {
  checkOptions(options);
  const { persistedOnly = false } = options;
  let documents: Promise<CompleteRequest> | undefined;
  return (request) => {
    const { query, persisted } = request;
    if (query !== undefined && persisted === undefined && !persistedOnly) {
      return { ...request, query };
    }
    documents ??= loadDocuments(options);
    return documents.then((complete) => complete(request));
  };
}

async function loadDocuments(options: PersistedOptions): Promise<CompleteRequest> {
  const { createPersistedDocuments } = await import("./persisted_documents.ts");
  return createPersistedDocuments(options);
}

function checkOptions({ persistedOperations, persistedOnly }: PersistedOptions): void {
  const type = typeof persistedOperations;
  const isUsable = type === "function" || (type === "object" && persistedOperations !== null);
  if (persistedOperations !== undefined && !isUsable) {
    throw new TypeError(
      `Cannot use persistedOperations "${persistedOperations}": it must be an object of documents ` +
        "by id, or a function of an id",
    );
  }
  if (persistedOnly === true && persistedOperations === undefined) {
    throw new TypeError("Cannot use persistedOnly without persistedOperations: nothing could run");
  }
}

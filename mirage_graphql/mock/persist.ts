import type { Persistence } from "../execution/executor_options.ts";
import type { PromiseOrValue } from "../execution/graphql_request.ts";
import type { MockOrm } from "../resolvers/mock_orm.ts";
import type { KeptRecords } from "./kept_records.ts";

/** Where records are kept. */
export interface PersistOptions {
  /**
   * Keeps records and sessions when the page is loaded again: in `sessionStorage`, as long as the tab
   * is open, or in `localStorage`. What the program puts into the database before the first operation
   * counts only if nothing is kept yet; `reset()` returns to it. It has no effect outside of pages, and
   * in Mirage's environment `"test"`.
   *
   * @default {undefined} A page starts anew each time
   */
  readonly persist?: "session" | "local";
}

/** Start of the names under which the records of mocks are kept. */
const PREFIX = "mirage-graphql ";

/**
 * Keeps the records of a mock in the page's storage. The code for that is loaded by the first
 * operation.
 *
 * @throws {TypeError} If `persist` has another value.
 */
export function createPersistence(
  orm: MockOrm,
  persist: NonNullable<PersistOptions["persist"]>,
): Persistence {
  if (persist !== "session" && persist !== "local") {
    throw new TypeError(`Cannot use persist "${persist}": it must be "session" or "local"`);
  }
  let kept: KeptRecords | undefined;
  let restored: PromiseOrValue<unknown>;
  let isStarted = !("document" in globalThis);
  const warn = (cause: unknown) =>
    orm.warnOnce(`Cannot keep records in ${persist}Storage: ${Object(cause).message}`);
  const start = async () => {
    const { keepRecords } = await import("./kept_records.ts");
    kept = keepRecords(orm, { persist, prefix: PREFIX, warn });
  };
  return {
    restore() {
      if (!isStarted) restored = start().catch(warn).then(() => restored = undefined);
      isStarted = true;
      return restored;
    },
    reset() {
      if (isStarted && restored === undefined) kept?.reset();
      else removeKept(persist, warn);
    },
  };
}

/** Before the first operation, the name of the own records is not known: it removes all. */
function removeKept(persist: string, warn: (cause: unknown) => void): void {
  try {
    const storage = persist === "local" ? localStorage : sessionStorage;
    for (const name of Object.keys(storage)) {
      if (name.startsWith(PREFIX)) storage.removeItem(name);
    }
  } catch (cause) { // pages without an origin have none
    warn(cause);
  }
}

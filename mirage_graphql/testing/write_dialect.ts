import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer, type Tables } from "./mock_server.ts";

/** Mutations in the style of one family of APIs, and how they are tested. */
export interface WriteDialect {
  readonly name: string;
  readonly schema: string;
  readonly data: Tables;
  /** A query for all that the mutations may change, with both sides of each relation. */
  readonly state: string;
  /**
   * What mutations return, and what the query returns after them, as compact JSON without quotes.
   */
  readonly rows: readonly WriteRow[];
  /** Mutations that are rejected and change nothing, and their messages. */
  readonly refused: readonly (readonly [call: string, message: RegExp])[];
}

/** A mutation, its answer, and the values of the state after it. */
export type WriteRow = readonly [call: string, answer: unknown, state: readonly string[]];

/** Registers a test for each mutation of a dialect. */
export function testWriteDialect(dialect: WriteDialect): void {
  const { name, schema, data, state, rows, refused } = dialect;
  const create = () => createMockServer(schema, { data, conventions: "common" });
  for (const [call, answer, after] of rows) {
    Deno.test(`${name}: ${call}`, async () => {
      const mock = create();
      deepStrictEqual(await mock.data(`mutation { at: ${call} }`), { at: answer });
      const read = await mock.data(state);
      deepStrictEqual(
        Object.values(read).flatMap((list) => (list as object[]).map(compact)),
        after,
      );
    });
  }
  for (const [call, message] of refused) {
    Deno.test(`${name}: ${call} is rejected, and changes nothing`, async () => {
      const { answer, dump } = create();
      const before = dump();
      const { errors: [first = "", ...others] } = await answer(`mutation { at: ${call} }`);
      match(first, message);
      deepStrictEqual([others, dump()], [[], before]);
    });
  }
}

/** The values of an object in order: `1 One Ada`, lists in brackets, `-` for `null`. */
function compact(value: unknown): string {
  if (value === null) return "-";
  if (Array.isArray(value)) return `[${value.map(compact).join(" ")}]`;
  return typeof value === "object" ? Object.values(value).map(compact).join(" ") : String(value);
}

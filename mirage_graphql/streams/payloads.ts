import { type ExecutionResult, GraphQLError } from "graphql";
import { findPassedResponse } from "../execution/outcome.ts";
import type { LaterPart, PartGroup, SplitPart, SplitResult } from "./split_result.ts";

/** The formats of responses in parts, by the parameter that names them. */
export type IncrementalSpec = "deferSpec=20220824" | "incrementalSpec=v0.2";

/** One of the messages of a response in parts, as JSON. */
export interface Payload extends ExecutionResult {
  /** Whether others follow. */
  readonly hasNext: boolean;
  readonly incremental?: readonly object[];
  readonly pending?: readonly Pending[];
  readonly completed?: readonly Fallible[];
}

/** A part, or its end. */
interface Fallible {
  readonly id?: string;
  readonly errors?: readonly GraphQLError[];
}

/** What is announced: a deferred fragment, or the rest of a list. */
interface Pending {
  readonly id: string;
  readonly path: LaterPart["path"];
  readonly label?: string;
}

/** The messages of a result that is complete. */
export function* payloadsOf(split: SplitResult, spec: IncrementalSpec): Generator<Payload> {
  if (spec === "incrementalSpec=v0.2") return yield* new Announcements(split).payloads();
  yield { ...split.first, hasNext: true };
  for (const { part } of split.later) yield { incremental: [part], hasNext: true };
  yield { hasNext: false };
}

/** A result whose parts graphql-js executes one after the other. */
export interface IncrementalResults {
  readonly initialResult: Payload;
  readonly subsequentResults: AsyncGenerator<Payload, void, void>;
}

/**
 * The messages of graphql-js, which are in the same format. By that of 2022-08-24, each part is a
 * message of its own, and an empty one is the last.
 */
export async function* receivedPayloads(
  { initialResult, subsequentResults }: IncrementalResults,
  spec: IncrementalSpec,
): AsyncGenerator<Payload> {
  yield initialResult;
  const isOld = spec === "deferSpec=20220824";
  for await (const payload of subsequentResults) {
    const incremental = payload.incremental?.map(withoutResponse);
    const completed = payload.completed?.map(withoutResponse);
    if (!isOld) yield { ...payload, incremental, completed };
    else for (const part of incremental ?? []) yield { incremental: [part], hasNext: true };
  }
  if (isOld) yield { hasNext: false };
}

/** The response that a resolver throws can't be passed on, because the first part has been sent. */
function withoutResponse(one: Fallible): Fallible {
  if (findPassedResponse(one.errors) === undefined) return one;
  const errors = one.errors?.map((error) =>
    findPassedResponse([error]) === undefined ? error : new GraphQLError(NOT_PASSED, error)
  );
  return { ...one, ...(errors && { errors }) };
}

const NOT_PASSED = "Cannot pass a resolver's Response on: the first part has been sent";

/** The format v0.2: a part is announced with an id, by the message that has the place for it. */
class Announcements {
  readonly #split: SplitResult;
  readonly #ids = new Map<PartGroup, string>();
  /** The groups to announce, by the part that has their place; `undefined` is the first one. */
  readonly #announced = new Map<SplitPart | undefined, Pending[]>();
  readonly #lastOf = new Map<PartGroup, SplitPart>();

  constructor(split: SplitResult) {
    this.#split = split;
    for (const one of split.later) {
      const { group, parent } = one;
      this.#lastOf.set(group, one);
      if (this.#ids.has(group)) continue;
      const id = String(this.#ids.size);
      this.#ids.set(group, id);
      const pending = this.#announced.get(parent);
      if (pending === undefined) this.#announced.set(parent, [{ id, ...group }]);
      else pending.push({ id, ...group });
    }
  }

  *payloads(): Generator<Payload> {
    const { first, later } = this.#split;
    yield { ...first, ...this.#pendingOf(undefined), hasNext: later.length > 0 };
    for (const [index, one] of later.entries()) {
      const id = this.#ids.get(one.group) ?? "";
      const { path: _path, label: _label, ...contents } = one.part;
      yield {
        ...this.#pendingOf(one),
        incremental: [{ id, ...contents }],
        ...(this.#lastOf.get(one.group) === one && { completed: [{ id }] }),
        hasNext: index < later.length - 1,
      };
    }
  }

  #pendingOf(part: SplitPart | undefined): Pick<Payload, "pending"> {
    const pending = this.#announced.get(part);
    return pending === undefined ? {} : { pending };
  }
}

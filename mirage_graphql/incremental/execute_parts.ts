import type { OperationDefinitionNode } from "graphql";
import { withDefaults } from "../request/collect_parts.ts";
import { isOperation } from "../request/document_cache.ts";
import type { IncrementalSpec } from "../request/media_types.ts";
import type { Outcome } from "../request/outcome.ts";
import { LocalOperation, type PendingOperation } from "../request/run_operation.ts";
import { IncrementalExecution, isIncremental } from "./execute_incrementally.ts";
import { type Payload, payloadsOf, receivedPayloads } from "./payloads.ts";
import { splitResult } from "./split_result.ts";
import { withTypeNames } from "./with_type_names.ts";

/** A response in parts. */
export interface ExecutedParts {
  /** The messages, the last of which has no next one. */
  readonly payloads: Iterator<Payload> | AsyncIterator<Payload>;
  /** Ends the execution of parts that nobody waits for. */
  end(): void;
}

/** Whether an operation has `@defer` or `@stream`, so that its response can have parts. */
export function hasParts(pending: PendingOperation): pending is LocalOperation {
  return pending instanceof LocalOperation && pending.info.type !== "subscription" &&
    pending.selected.checked.incremental !== undefined;
}

/**
 * Executes an operation in parts. graphql 17 executes one after the other; the complete result of a
 * plan, an API or graphql 16 is split. Other outcomes than results with data are returned as they
 * are.
 */
export async function executeParts(
  pending: LocalOperation,
  spec: IncrementalSpec,
  signal: AbortSignal | undefined,
): Promise<Outcome | ExecutedParts> {
  const { checked, operation, one } = pending.selected;
  const { incremental: document = checked.document } = checked;
  const index = checked.operations.indexOf(operation);
  const nodeIn = (nodes: readonly OperationDefinitionNode[]) => nodes[index] ?? operation;
  const execution = new IncrementalExecution(document, spec);
  const typed = withTypeNames(checked);
  const outcome = await pending.with({ checked: typed, operation: nodeIn(typed.operations) })
    .start(signal, execution.execute);
  if (outcome.kind !== "result" || !outcome.result.data) {
    execution.end();
    return outcome;
  }
  const directed = nodeIn(document.definitions.filter(isOperation));
  const variables = withDefaults(directed, one.variables);
  const selected = { schema: pending.graphQLSchema, document, variables };
  const { results } = execution;
  const payloads = results === undefined
    ? payloadsOf(splitResult(selected, directed, outcome.result), spec)
    : isIncremental(results)
    ? receivedPayloads(results, spec)
    : payloadsOf({ first: results, later: [] }, spec);
  return { payloads, end: () => execution.end() };
}

import type { DocumentNode, ExecutionResult, GraphQLError, OperationDefinitionNode } from "graphql";
import type { MockRequest, OperationInfo, PromiseOrValue } from "./graphql_request.ts";
import type { Outcome } from "./outcome.ts";
import type { FollowedRule } from "../shared/followed_rule.ts";
import type { PlannedFailure } from "./operation_log.ts";

/** What answers a field. */
export interface FieldAnswer {
  /** The field with its type, such as `Query.people`. */
  readonly field: string;
  /** What answers it, in words. */
  readonly rule: string;
  /** The lines of dialects that its name and its arguments follow; empty if it needs none. */
  readonly dialectRules: readonly FollowedRule[];
}

/** What answers the fields at the root of an operation, and what to write for those that nothing does. */
export interface Explanation {
  /** For each field, such as `Query.people`, what answers it. */
  readonly answers: readonly FieldAnswer[];
  /** Why it was refused, and resolvers to begin with; `undefined` if it was not. */
  readonly refusal: { readonly reason: string; readonly stub: string } | undefined;
}

/** An operation as an inspector sees it. */
export interface InspectedOperation {
  readonly info: OperationInfo;
  readonly request: MockRequest;
  readonly selected: {
    readonly operation: OperationDefinitionNode;
    /** The document, which is valid. */
    readonly checked: { readonly document: DocumentNode };
  };
}

/** Says what answers an operation; `errors` are those of its result. */
export type ExplainOperation = (
  selected: InspectedOperation["selected"],
  errors: readonly GraphQLError[],
  variables?: Readonly<Record<string, unknown>>,
) => Promise<Explanation>;

/** What the start of a subscription returns. */
export type StartedResults = AsyncIterator<ExecutionResult> | ExecutionResult;

/** What a client's WebSocket is about to be served with. */
export interface InspectedSocket {
  /** The negotiated subprotocol; empty if there is none. */
  readonly protocol: string;
  readonly request: MockRequest;
}

/** What watches a mock; it may come and go. */
export interface Inspection {
  inspector: Inspector | undefined;
  readonly explain: ExplainOperation | undefined;
}

/** Watches and changes what a mock does, for tools in development. */
export interface Inspector {
  /** Runs an operation with one outcome: `proceed` does. */
  run(
    operation: InspectedOperation,
    proceed: () => PromiseOrValue<Outcome>,
  ): PromiseOrValue<Outcome>;
  /** Starts a subscription: `proceed` does. */
  subscribe(
    operation: InspectedOperation,
    proceed: () => PromiseOrValue<StartedResults>,
  ): PromiseOrValue<StartedResults>;
  /** How an operation fails that no other failure is planned for. */
  fail(operation: InspectedOperation): PlannedFailure | undefined;
  /** Called for each socket; what it returns is called when the socket has closed. */
  connect(socket: InspectedSocket): () => void;
}

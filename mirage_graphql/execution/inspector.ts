import type { DocumentNode, ExecutionResult, GraphQLError, OperationDefinitionNode } from "graphql";
import type { MockRequest, OperationInfo, PromiseOrValue } from "./graphql_request.ts";
import type { Outcome } from "./outcome.ts";
import type { PlannedFailure } from "./operation_log.ts";

/** What answers the fields at the root of an operation, and what to write for those that nothing does. */
export interface Explanation {
  /** For each field, such as `Query.people`, what answers it. */
  readonly answers: readonly { readonly field: string; readonly rule: string }[];
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

import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  subscribe as subscribeToDocument,
} from "graphql";
import type { Executor } from "../request/executor.ts";
import type { ExecuteOptions } from "../request/executor_options.ts";
import type { ExecutableRequest } from "../request/graphql_request.ts";
import { isPromise, type OperationType, type PromiseOrValue } from "../request/graphql_request.ts";
import { ResultStream, type StartedSubscription } from "./result_stream.ts";

/** What is known about a subscription before it starts. */
export interface SubscriptionInfo {
  /** Name of the operation; `undefined` if it has none. */
  readonly name: string | undefined;
}

/** Executes the subscriptions of one executor's schema. */
export interface Subscriber {
  /** Starts a subscription at once; if it is rejected, the only result has the errors. */
  subscribe(request: ExecutableRequest, options?: ExecuteOptions): ResultStream;
  /** The subscription in a request; `undefined` if it has another operation. */
  subscriptionOf(request: ExecutableRequest): SubscriptionInfo | undefined;
}

/** Creates a subscriber, which shares documents, context and root with the executor. */
export function createSubscriber(executor: Executor): Subscriber {
  const { graphQLSchema, root, documents, createContext } = executor;

  function start(request: ExecutableRequest, document: DocumentNode, contextValue: object) {
    const args: ExecutionArgs = {
      schema: graphQLSchema,
      document,
      rootValue: root,
      contextValue,
      variableValues: request.variables,
      operationName: request.operationName,
    };
    return subscribeToDocument(args);
  }

  function open(
    request: ExecutableRequest,
    { request: httpRequest }: ExecuteOptions,
  ): PromiseOrValue<StartedSubscription> {
    const checked = documents.get(request.query);
    if ("errors" in checked) return { errors: checked.errors };
    const operation = getOperationAST(checked.document, request.operationName);
    if (operation?.operation !== "subscription") return refusal(operation?.operation);
    try {
      const contextValue = createContext(httpRequest);
      return isPromise(contextValue)
        ? contextValue.then((value) => start(request, checked.document, value))
        : start(request, checked.document, contextValue);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  return {
    subscribe: (request, subscribeOptions = {}) =>
      new ResultStream(open(request, subscribeOptions), subscribeOptions.signal),
    subscriptionOf(request) {
      const checked = documents.get(request.query);
      if ("errors" in checked) return undefined;
      const operation = getOperationAST(checked.document, request.operationName);
      return operation?.operation === "subscription" ? { name: operation.name?.value } : undefined;
    },
  };
}

function refusal(type: OperationType | undefined): StartedSubscription {
  const state = type === undefined
    ? "name one operation of the document"
    : `the operation is a ${type}, send it to the handler`;
  return { errors: [new GraphQLError(`Cannot subscribe: ${state}`)] };
}

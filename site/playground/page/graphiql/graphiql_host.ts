import type { GraphQLSchema } from "graphql";
import type { SentOperation } from "../mock/request_log.ts";

/** What GraphiQL shows, and how it sends operations. */
export interface GraphiQLInput {
  readonly schema: GraphQLSchema;
  /** The operation in the editor at the start. */
  readonly query: string;
  readonly theme: "light" | "dark";
  /** Answers one operation: with a result, or with many for a subscription. */
  readonly send: (operation: SentOperation) => Promise<object> | AsyncIterable<object>;
  /** Called whenever the operation in the editor changes. */
  readonly onEdit: (query: string) => void;
}

/** A GraphiQL in the page. */
export interface MountedGraphiQL {
  /** Shows another schema or theme; the editor keeps its operation unless `query` differs. */
  update(input: GraphiQLInput): void;
  /** Removes it. */
  unmount(): void;
}

/** Renders GraphiQL into an element. */
export type MountGraphiQL = (element: HTMLElement, input: GraphiQLInput) => MountedGraphiQL;

import type { DocumentNode, ExecutionResult, GraphQLSchema } from "graphql";

/** The packages that only this comparison uses; Deno downloads them when it runs. */
export const PEERS = {
  "graphql-jit": "npm:graphql-jit@0.8.9",
  "msw": "npm:msw@3.0.5",
  "msw/graphql": "npm:msw@3.0.5/graphql",
} as const;

/** What is used of `graphql-jit`. */
export interface GraphQLJit {
  compileQuery(schema: GraphQLSchema, document: DocumentNode): CompiledQuery | ExecutionResult;
}

/** A document that `graphql-jit` has compiled. */
export interface CompiledQuery {
  query(
    root: unknown,
    context: unknown,
    variables: object | undefined,
  ): ExecutionResult | Promise<ExecutionResult>;
}

/** What is used of `msw`. */
export interface Msw {
  getResponse(handlers: readonly object[], request: Request): Promise<Response | undefined>;
  readonly HttpResponse: { json(body: unknown): Response };
}

/** What is used of `msw/graphql`. */
export interface MswGraphQL {
  readonly graphql: {
    link(url: string): {
      operation(resolver: (operation: MswOperation) => unknown): object;
    };
  };
}

/** What a resolver of MSW receives of an operation. */
export interface MswOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Loads one of the packages; `Module` is what is used of it. */
export async function loadPeer<Module>(name: keyof typeof PEERS): Promise<Module> {
  const specifier: string = PEERS[name];
  return await import(specifier);
}

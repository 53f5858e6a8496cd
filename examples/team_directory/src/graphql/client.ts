/** A document with the types of its result and its variables, as a code generator would write it. */
export interface TypedDocument<Result, Variables> {
  readonly source: string;
  /** Only there for the compiler. */
  readonly types?: (variables: Variables) => Result;
}

/** Variables of a document that has none. */
export type NoVariables = Record<string, never>;

/** Attaches types to a document. */
export function gql<Result, Variables = NoVariables>(
  source: string,
): TypedDocument<Result, Variables> {
  return { source };
}

/** Sends a query or a mutation and returns its data; rejects with the server's errors. */
export async function send<Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Result> {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: document.source, variables }),
    signal: options.signal,
  });
  const { data, errors } = await response.json();
  if (!errors) return data;
  throw new Error(errors.map(({ message }: Error) => message).join(" "));
}

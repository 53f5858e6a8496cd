/** What a code generator writes: the documents that it has found, as objects. */
const documents: Record<string, unknown> = {
  Wave: {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Wave"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wave"}},{"kind":"Field","name":{"kind":"Name","value":"guess"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]},
};

export function graphql(source: string): unknown {
  return documents[source] ?? source;
}

import type { GraphQLField } from "graphql";

/** Says why a mutation is not resolved by default, and which function to write. */
export function noDefaultResolver(
  field: GraphQLField<unknown, unknown>,
  parentName: string,
  why: { readonly reason: string; readonly hint?: string },
): Error {
  const { reason, hint } = why;
  const code = `resolvers: { ${parentName}: { ${field.name}(obj, args, context, info) { ... } } }`;
  return new Error(
    // deno-lint-ignore trestle/error-message
    `Could not find a default resolver for ${field.name}. ` +
      `Please supply a resolver for this mutation. It ${reason}. ` +
      `Write ${code}${hint === undefined ? "" : `, ${hint}`}`,
  );
}

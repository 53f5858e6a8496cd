import type { GraphQLField } from "graphql";
import type { WriteContext } from "../orm/write_context.ts";

/** Says why a mutation is not resolved by default, and which function to write. */
export function noDefaultResolver(
  field: GraphQLField<unknown, unknown>,
  context: WriteContext,
  why: { readonly reason: string; readonly hint?: string },
): Error {
  const { reason, hint } = why;
  const rootName = context.graphQLSchema.getMutationType()?.name ?? "Mutation";
  const code = `resolvers: { ${rootName}: { ${field.name}(obj, args, context, info) { ... } } }`;
  return new Error(
    // deno-lint-ignore trestle/error-message
    `Could not find a default resolver for ${field.name}. ` +
      `Please supply a resolver for this mutation. It ${reason}. ` +
      `Write ${code}${hint === undefined ? "" : `, ${hint}`}`,
  );
}

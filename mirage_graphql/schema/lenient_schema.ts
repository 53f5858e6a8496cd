import { makeExecutableSchema } from "@graphql-tools/schema";
import {
  buildASTSchema,
  buildClientSchema,
  concatAST,
  type DocumentNode,
  GraphQLSchema,
  type IntrospectionQuery,
  parse,
  validateSchema,
} from "graphql";
import { withoutIncremental } from "./incremental_directives.ts";

/** Called with the ignored parts of a schema, a line for each. */
export type OnIgnored = (lines: readonly string[]) => void;

/**
 * Builds a schema from its definitions. Ignores faults that only the rules for documents reject:
 * unknown directives, fields that are defined twice (the last one counts), extensions of types that
 * another service defines.
 *
 * @throws {Error} If it can't be built even so; the message is graphql-js's.
 */
export function buildDefinitions(
  parts: readonly (string | DocumentNode)[],
  onIgnored: OnIgnored,
): GraphQLSchema {
  const typeDefs = [...parts];
  const whole = attempt(() => buildWhole(typeDefs));
  if (whole !== undefined) return whole;
  try {
    return makeExecutableSchema({ typeDefs });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const scalars = platformScalars(message);
    const definitions = scalars.map((name) => `scalar ${name}`);
    // the merger's option, which the type of the builder's options lacks
    const lenient = {
      typeDefs: [...typeDefs, ...definitions],
      assumeValidSDL: true,
      convertExtensions: true,
    };
    const graphQLSchema = attempt(() => makeExecutableSchema(lenient));
    if (graphQLSchema === undefined) throw error;
    onIgnored(message.split("\n\n"));
    return graphQLSchema;
  }
}

/** Builds definitions that need no merging, which takes half as long. */
function buildWhole(parts: readonly (string | DocumentNode)[]): GraphQLSchema {
  const documents = parts.map((part) => typeof part === "string" ? parse(part) : part);
  return buildASTSchema(concatAST(documents));
}

/** The scalars that AWS AppSync adds to each schema, such as `AWSDateTime`. */
function platformScalars(message: string): string[] {
  const names = message.matchAll(/Unknown type "(AWS[A-Z]\w*)"/g);
  return [...new Set(Array.from(names, ([, name = ""]) => name))];
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/**
 * Builds a schema from the result of an introspection query.
 *
 * @throws {TypeError} If the result is incomplete; the message is graphql-js's.
 */
export function buildIntrospection(introspection: object): GraphQLSchema {
  return buildClientSchema(toIntrospection(introspection));
}

/** The boundary: graphql-js checks its input. */
function toIntrospection(introspection: object): IntrospectionQuery {
  // deno-lint-ignore no-explicit-any
  return introspection as any;
}

/** Rules for schemas that make no difference to execution. */
const HARMLESS = [
  /is not deprecated, so implementation field .* must not be deprecated/,
  /^Required .* cannot be deprecated/,
  /must define one or more /,
  /must not begin with "__"/,
];

/**
 * A schema that graphql-js executes, although it breaks rules that make no difference to execution;
 * other faults are left for graphql-js to report.
 */
export function tolerate(graphQLSchema: GraphQLSchema, onIgnored: OnIgnored): GraphQLSchema {
  const messages = validateSchema(graphQLSchema).map(({ message }) => message);
  const isHarmless = messages.every((message) => HARMLESS.some((rule) => rule.test(message)));
  if (!isHarmless) return graphQLSchema;
  const valid = messages.length === 0
    ? graphQLSchema
    : new GraphQLSchema({ ...graphQLSchema.toConfig(), assumeValid: true });
  onIgnored(messages);
  return withoutIncremental(valid);
}

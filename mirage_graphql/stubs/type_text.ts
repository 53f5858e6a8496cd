import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import type { StubRules } from "./stub_rules.ts";

/** Input objects that are nested deeper are `unknown` where types are written in place. */
const MAX_DEPTH = 2;

/** An enum with more values is a `string` where types are written in place. */
const MAX_VALUES = 8;

/** A custom scalar can be anything. */
const SCALARS: Readonly<Record<string, string>> = {
  ID: "string",
  String: "string",
  Int: "number",
  Float: "number",
  Boolean: "boolean",
};

/** Writes the input types of a schema in TypeScript. */
export interface TypeText {
  /** The type of the object that has the values of some arguments. */
  ofArguments(args: readonly GraphQLArgument[]): string;
  /** The aliases that these types use, in the order of their use. */
  declarations(): readonly string[];
}

/**
 * Creates a writer of types.
 *
 * @param hasNames Whether input objects and enums are aliases of their names; if not, they are
 * written in place, two levels deep.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { buildSchema } from "graphql";
 * import { hasDefault } from "../shared/graphql_versions.ts";
 * import { createTypeText } from "./type_text.ts";
 *
 * const schema = buildSchema("type Query { posts(ids: [ID!]!, first: Int): Int }");
 * const { posts } = schema.getQueryType()?.getFields() ?? {};
 * const types = createTypeText({ hasDefault }, false);
 * strictEqual(types.ofArguments(posts?.args ?? []), "{ ids: string[]; first?: number | null }");
 * ```
 */
export function createTypeText(
  { hasDefault }: Pick<StubRules, "hasDefault">,
  hasNames: boolean,
): TypeText {
  const aliases = new Map<string, string>();

  function alias(name: string, write: () => string): string {
    if (!aliases.has(name)) {
      aliases.set(name, ""); // a type may contain itself
      aliases.set(name, `export type ${name} = ${write()};`);
    }
    return name;
  }

  function textOf(type: GraphQLInputType, depth: number): string {
    return isNonNullType(type) ? plain(type.ofType, depth) : `${plain(type, depth)} | null`;
  }

  function plain(type: GraphQLInputType, depth: number): string {
    if (isListType(type)) {
      const item = textOf(type.ofType, depth);
      return item.includes(" ") && !item.startsWith("{") || item.endsWith(" | null")
        ? `(${item})[]`
        : `${item}[]`;
    }
    if (isEnumType(type)) return ofEnum(type);
    if (isInputObjectType(type)) return ofInput(type, depth);
    return "name" in type ? SCALARS[type.name] ?? "unknown" : "unknown";
  }

  function ofEnum(type: GraphQLEnumType): string {
    const values = type.getValues();
    const union = values.map(({ name }) => JSON.stringify(name)).join(" | ") || "never";
    if (hasNames) return alias(type.name, () => union);
    return values.length <= MAX_VALUES ? union : "string";
  }

  function ofInput(type: GraphQLInputObjectType, depth: number): string {
    const write = () => members(Object.values(type.getFields()), depth + 1);
    if (hasNames) return alias(type.name, write);
    return depth < MAX_DEPTH ? write() : "Record<string, unknown>";
  }

  function members(
    inputs: readonly (GraphQLArgument | GraphQLInputField)[],
    depth: number,
  ): string {
    if (inputs.length === 0) return "Record<string, never>";
    return `{ ${inputs.map((input) => member(input, depth)).join("; ")} }`;
  }

  function member(input: GraphQLArgument | GraphQLInputField, depth: number): string {
    const isGiven = isNonNullType(input.type) || hasDefault(input);
    return `${input.name}${isGiven ? "" : "?"}: ${textOf(input.type, depth)}`;
  }

  return {
    ofArguments: (args) => members(args, 0),
    declarations: () => [...aliases.values()],
  };
}

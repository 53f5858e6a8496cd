import { createStub, type ResolverStub } from "../stubs/resolver_stub.ts";
import type { StubRules } from "../stubs/stub_rules.ts";
import { createTypeText } from "../stubs/type_text.ts";
import type { FieldToWrite } from "./try_operation.ts";

/** The package that the module imports. */
const PACKAGE = "@trestle/mirage-graphql";

/** How a module is written. */
export interface StubModuleOptions {
  /** Whether it is TypeScript, with the types of the schema. @default {true} */
  readonly isTyped?: boolean;
}

/**
 * Writes a module whose export `resolvers` has a resolver for each field, each with the reason why it
 * is needed: for the option `resolvers` of a mock. Fields that are listed twice have one.
 */
export function writeStubModule(
  rules: StubRules,
  fields: readonly FieldToWrite[],
  { isTyped = true }: StubModuleOptions = {},
): string {
  const types = isTyped ? createTypeText(rules, true) : undefined;
  const stubs = new Map<string, ResolverStub & { readonly reason: string }>();
  for (const { typeName, fieldName, reason } of fields) {
    const key = `${typeName}.${fieldName}`;
    const stub = stubs.has(key) ? undefined : createStub(rules, { typeName, fieldName }, { types });
    if (stub !== undefined) stubs.set(key, { ...stub, reason });
  }
  const all = [...stubs.values()];
  const typeNames = [...new Set(all.map(({ typeName }) => typeName))];
  const members = typeNames.flatMap((typeName) => [
    `  ${typeName}: {`,
    ...all.filter((stub) => stub.typeName === typeName).flatMap(memberLines),
    "  },",
  ]);
  const declarations = types?.declarations() ?? [];
  return [
    ...importLines(all, isTyped),
    "",
    ...declarations.length > 0 ? [...declarations, ""] : [],
    "/** Resolvers for what the mock can't answer by itself: change them to what the API does. */",
    "export const resolvers = {",
    ...members,
    isTyped ? "} satisfies ResolverMap<MockContext>;" : "};",
    "",
  ].join("\n").replace(/^\n+/, "");
}

function importLines(stubs: readonly ResolverStub[], isTyped: boolean): string[] {
  const used = new Set(stubs.flatMap(({ imports }) => imports));
  const names = [...used].filter((name) => !name.startsWith("type ")).sort().join(", ");
  return [
    ...names === "" ? [] : [`import { ${names} } from "${PACKAGE}";`],
    ...isTyped ? [`import type { MockContext, ResolverMap } from "${PACKAGE}";`] : [],
  ];
}

function memberLines({ code, reason }: ResolverStub & { readonly reason: string }): string[] {
  const comment = reason.replaceAll(/\s+/g, " ").replaceAll("*/", "* /");
  return [`    /** ${comment}. */`, ...`${code},`.split("\n").map((line) => `    ${line}`)];
}

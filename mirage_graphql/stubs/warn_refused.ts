import { type DocumentNode, type OperationDefinitionNode, print } from "graphql";
import type { UnresolvedField } from "../shared/unresolved_field.ts";
import { reasonOf } from "./reason.ts";
import { createStub, type ResolverStub } from "./resolver_stub.ts";
import type { StubRules } from "./stub_rules.ts";

/** The mock whose refusals are printed. */
export interface RefusalSubject {
  readonly rules: StubRules;
  /** The user-defined resolvers, which get no stub. */
  readonly resolvers: object;
  /** Where resolvers are given. @default {'the option "resolvers"'} */
  readonly setup?: string | undefined;
}

/** An operation that was refused. */
export interface RefusedOperation extends RefusalSubject {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The fields that no rule explains. */
  readonly unresolved: readonly UnresolvedField[];
  /** The operations that have been printed; this one is added. */
  readonly printed: Set<string>;
}

/** How many operations are printed at most: a client may make up any number. */
const MAX_OPERATIONS = 100;

/**
 * Prints why an operation was refused, with a resolver for each field that needs one, with
 * `console.warn`: once an operation, and not in production.
 */
export function warnRefused(refused: RefusedOperation): void {
  const { document, printed } = refused;
  const key = `${refused.operation.name?.value} ${print(document)}`;
  if (printed.has(key) || printed.size >= MAX_OPERATIONS || isProduction()) return;
  printed.add(key);
  const text = refusalText(refused);
  if (text !== undefined) console.warn(text);
}

/** The text about a refused operation; `undefined` if the user's resolvers have refused it. */
export function refusalText(
  { rules, resolvers, operation, unresolved, setup = 'the option "resolvers"' }: Omit<
    RefusedOperation,
    "document" | "printed"
  >,
): string | undefined {
  const own = new Map<string, unknown>(Object.entries(resolvers));
  const isOwn = ({ typeName, fieldName }: UnresolvedField) =>
    Object.hasOwn(Object(own.get(typeName)), fieldName);
  const fields = new Map(
    unresolved.filter((field) => !isOwn(field))
      .map((field) => [`${field.typeName}.${field.fieldName}`, field]),
  );
  if (fields.size === 0) return undefined;
  const stubs = [...fields.values()].flatMap((field) => createStub(rules, field) ?? []);
  const name = operation.name?.value ?? "(anonymous)";
  const names = [...fields.keys()].join(" and ");
  return [
    `[mirage-graphql] ${operation.operation} ${name} was refused: the mock has no rule for ${names}.`,
    ...Array.from(fields.values(), (field) => `${sentence(reasonOf(field))}.`),
    conventionsText(rules),
    `What to begin with, in ${setup}; change it to what the API does:`,
    "",
    ...stubLines(stubs),
  ].join("\n");
}

/** What conventions would change, or which ones have no rule for it. */
function conventionsText({ orm: { conventions: { dialects } } }: StubRules): string {
  if (dialects.length > 0) {
    return `The conventions that are on: ${dialects.map(({ name }) => name).join(", ")}.`;
  }
  return 'No conventions are on: with conventions: "common", more is answered without a resolver.';
}

function stubLines(stubs: readonly ResolverStub[]): string[] {
  const imports = [...new Set(stubs.flatMap((stub) => stub.imports))].sort();
  const typeNames = [...new Set(stubs.map(({ typeName }) => typeName))];
  const members = typeNames.flatMap((typeName) => [
    `  ${typeName}: {`,
    ...stubs.filter((stub) => stub.typeName === typeName)
      .flatMap(({ code }) => `${code},`.split("\n").map((line) => `    ${line}`)),
    "  },",
  ]);
  return [
    ...imports.length === 0
      ? []
      : [...imports.map((name) => `import { ${name} } from "@trestle/mirage-graphql";`), ""],
    "resolvers: {",
    ...members,
    "},",
  ];
}

function sentence(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** Programs that build pages put the value in place of the name; elsewhere there may be no such object. */
function isProduction(): boolean {
  try {
    // deno-lint-ignore no-process-global -- what bundlers replace
    return process.env.NODE_ENV === "production";
  } catch {
    return false;
  }
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };

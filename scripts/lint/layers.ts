import {
  isExample,
  isTest,
  type ModulePath,
  modulePathOf,
  pathInRepository,
  targetOf,
} from "./module_paths.ts";

const TABLE = "the allowed imports are in scripts/lint/allowed_imports.ts";
const SHARED = "test_support/";

/** Rejects every import between layers that the table does not name: imports point inward. */
export const layers: Deno.lint.Rule = {
  create(context) {
    const path = pathInRepository(context.filename);
    const test = isTest(path);
    const from = test || isExample(path) ? undefined : modulePathOf(path);
    const { text } = context.sourceCode;
    const faultAt = (specifier: string) =>
      sharedFault(path, specifier) ?? (test ? undefined : faultOf(path, from, specifier));
    const refuse = (node: Deno.lint.Node, message: string) =>
      context.report({ node, message, hint: TABLE });

    return {
      ...(quotedIn(text).some((specifier) => faultAt(specifier) !== undefined) &&
        onImport((specifier, node) => {
          const fault = faultAt(specifier);
          if (fault !== undefined) refuse(node, `Cannot import "${specifier}": ${fault}`);
        })),
      ...(from !== undefined && from.row === undefined && {
        Program(node) {
          refuse(node, `Cannot place "${path}": the table names no layer "${from.layer}"`);
        },
      }),
      ...(from?.row?.pure !== undefined && text.includes("Deno") && {
        'MemberExpression[object.name="Deno"]'(node: Deno.lint.MemberExpression) {
          refuse(node, `Cannot use "${context.sourceCode.getText(node)}": ${nameOf(from)} is pure`);
        },
      }),
    };
  },
};

/**
 * All that may be a specifier in a text, and more. To walk a syntax tree takes far longer, and a
 * rule without visitors walks none.
 */
function quotedIn(text: string): string[] {
  return Array.from(text.matchAll(/["'](?=([^"'\n]+)["'])/g), ([, quoted = ""]) => quoted);
}

/** Keeps scripts above the components, and shared test helpers below both. */
function sharedFault(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = targetOf(path, specifier);
  if (modulePathOf(path) !== undefined && target.startsWith("scripts/")) {
    return "what components and scripts share is in test_support";
  }
  if (path.startsWith(SHARED) && !target.startsWith(SHARED)) {
    return "test_support imports no other folder";
  }
  return undefined;
}

/** What is wrong with an import, or `undefined` if the table allows it. */
function faultOf(
  path: string,
  from: ModulePath | undefined,
  specifier: string,
): string | undefined {
  if (!specifier.startsWith(".")) return from && packageFault(from, specifier);
  const target = targetOf(path, specifier);
  if (isTest(target)) return "only tests import tests and what serves them";
  if (from?.row === undefined || !/\.[cm]?[jt]sx?$/.test(target)) return undefined;
  const to = modulePathOf(target);
  if (to?.component !== from.component) return "another component is imported by its package name";
  if (to.layer === from.layer || from.row.to.includes(to.layer)) return undefined;
  return `${nameOf(from)} must not point to ${to.layer}, ${arrowsOf(from)}`;
}

function packageFault(from: ModulePath, specifier: string): string | undefined {
  if (from.row === undefined || from.row.to.includes(specifier)) return undefined;
  if (specifier.startsWith("@trestle/")) {
    return `${nameOf(from)} must not point to that package, ${arrowsOf(from)}`;
  }
  const { pure } = from.row;
  if (pure === undefined || pure.some((name) => `${specifier}/`.startsWith(`${name}/`))) {
    return undefined;
  }
  return `${nameOf(from)} is pure, it imports ${pure.join(", ") || "no package"}`;
}

function arrowsOf({ row }: ModulePath): string {
  return `its arrows are: ${row?.to.join(", ") || "none"}`;
}

function nameOf({ component, layer }: ModulePath): string {
  return `${component}/${layer}`;
}

/** Calls back for every import of a file with a literal specifier, type imports included. */
export function onImport(
  visit: (specifier: string, node: Deno.lint.Node) => void,
): Deno.lint.LintVisitor {
  return {
    ImportDeclaration: ({ source }) => visitLiteral(source),
    ExportAllDeclaration: ({ source }) => visitLiteral(source),
    ExportNamedDeclaration: ({ source }) => visitLiteral(source),
    ImportExpression: ({ source }) => visitLiteral(source),
    TSImportType: ({ argument }) => {
      if (argument.type === "TSLiteralType") visitLiteral(argument.literal);
    },
  };

  function visitLiteral(node: Deno.lint.Node | null): void {
    if (node?.type === "Literal" && typeof node.value === "string") visit(node.value, node);
  }
}

import {
  isExample,
  isTest,
  pathInRepository,
  type Place,
  placeOf,
  targetOf,
} from "./module_paths.ts";

const TABLE = "the arrows stand in scripts/lint/allowed_imports.ts";
const SHARED = "test_support/";

/** Imports point inward: refuses every import between layers that the table does not name. */
export const layers: Deno.lint.Rule = {
  create(context) {
    const path = pathInRepository(context.filename);
    const test = isTest(path);
    const place = test || isExample(path) ? undefined : placeOf(path);
    const refuse = (node: Deno.lint.Node, message: string) =>
      context.report({ node, message, hint: TABLE });

    return {
      ...onImport((specifier, node) => {
        const fault = sharedFault(path, specifier) ??
          (test ? undefined : faultOf(path, place, specifier));
        if (fault !== undefined) refuse(node, `Cannot import "${specifier}": ${fault}`);
      }),
      Program(node) {
        if (place === undefined || place.row !== undefined) return;
        refuse(node, `Cannot place "${path}": the table names no layer "${place.layer}"`);
      },
      'MemberExpression[object.name="Deno"]'(node: Deno.lint.MemberExpression) {
        if (place?.row?.pure === undefined) return;
        const text = context.sourceCode.getText(node);
        refuse(node, `Cannot use "${text}": ${nameOf(place)} is pure`);
      },
    };
  },
};

/** Keeps scripts above the components, and what tests share below both. */
function sharedFault(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = targetOf(path, specifier);
  if (placeOf(path) !== undefined && target.startsWith("scripts/")) {
    return "what components and scripts share is in test_support";
  }
  if (path.startsWith(SHARED) && !target.startsWith(SHARED)) {
    return "test_support imports no other folder";
  }
  return undefined;
}

/** What is wrong with an import, or `undefined` where an arrow allows it. */
function faultOf(path: string, from: Place | undefined, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return from && packageFault(from, specifier);
  const target = targetOf(path, specifier);
  if (isTest(target)) return "only tests import tests and what serves them";
  if (from?.row === undefined || !/\.[cm]?[jt]sx?$/.test(target)) return undefined;
  const to = placeOf(target);
  if (to?.component !== from.component) return "another component is imported by its package name";
  if (to.layer === from.layer || from.row.to.includes(to.layer)) return undefined;
  return `${nameOf(from)} must not point to ${to.layer}, ${arrowsOf(from)}`;
}

function packageFault(from: Place, specifier: string): string | undefined {
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

function arrowsOf({ row }: Place): string {
  return `its arrows are: ${row?.to.join(", ") || "none"}`;
}

function nameOf({ component, layer }: Place): string {
  return `${component}/${layer}`;
}

/** Calls back for every import of a file whose target is written out, type imports included. */
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

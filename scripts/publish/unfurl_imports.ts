import ts from "typescript";

/**
 * Rewrites the bare specifiers of a source, as `deno publish` does for JSR, where a package has no
 * import map: `axios` becomes `npm:axios@^1.21.1`. Computed specifiers stay unchanged, and so do
 * those that the import map lacks, such as `node:` and relative ones.
 */
export function unfurlImports(source: string, imports: Readonly<Record<string, string>>): string {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest);
  let text = source;
  // from last to first, so that the positions of the others stay valid
  for (const name of importedNames(file).toReversed()) {
    const target = targetOf(name.text, imports);
    if (target === undefined) continue;
    const [start, end] = [name.getStart(file), name.getEnd()];
    text = `${text.slice(0, start)}${JSON.stringify(target)}${text.slice(end)}`;
  }
  return text;
}

/** The specifiers that a node and its descendants import, in order. */
function importedNames(node: ts.Node, names: ts.StringLiteral[] = []): ts.StringLiteral[] {
  const name = importedName(node);
  if (name !== undefined && ts.isStringLiteral(name)) names.push(name);
  ts.forEachChild(node, (child) => void importedNames(child, names));
  return names;
}

function importedName(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return node.argument.literal;
  }
  if (!ts.isCallExpression(node)) return undefined;
  return node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : undefined;
}

function targetOf(
  specifier: string,
  imports: Readonly<Record<string, string>>,
): string | undefined {
  const name = Object.keys(imports).find((name) => `${specifier}/`.startsWith(`${name}/`));
  return name === undefined ? undefined : `${imports[name]}${specifier.slice(name.length)}`;
}

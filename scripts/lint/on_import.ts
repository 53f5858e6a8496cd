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

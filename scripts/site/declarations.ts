import ts from "typescript";

/** The declarations of one module, by the exported name, without what follows a function's type. */
export class ModuleDeclarations {
  readonly #byName = new Map<string, string[]>();

  /** @param source The text of the module, whose exports state their types. */
  constructor(source: string) {
    const { outputText } = ts.transpileDeclaration(source, {
      compilerOptions: { isolatedDeclarations: true, declaration: true },
    });
    const file = ts.createSourceFile("module.d.ts", outputText, ts.ScriptTarget.Latest, true);
    for (const statement of file.statements) {
      for (const name of namesOf(statement)) {
        const texts = this.#byName.get(name) ?? [];
        this.#byName.set(name, [...texts, declarationText(statement, file)]);
      }
    }
  }

  /** The declarations of a name, such as the overloads of a function; empty if there are none. */
  of(name: string): readonly string[] {
    return this.#byName.get(name) ?? [];
  }
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** Without its own comment, which is shown as text, and without private members. */
function declarationText(statement: ts.Statement, file: ts.SourceFile): string {
  const text = statement.getText(file).replace(/^export /, "").replace(/^declare /, "")
    .replaceAll(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2));
  if (!ts.isClassDeclaration(statement)) return text;
  return text.replaceAll(/^ *(?:#private;|private .*;)\n/gm, "");
}

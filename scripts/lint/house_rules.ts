import { isExample, isTest, pathInRepository } from "./module_paths.ts";

/** Requires errors of the form `Cannot <action> "<value>": <state>`, without a final period. */
export const errorMessage: Deno.lint.Rule = {
  create(context) {
    if (isTest(pathInRepository(context.filename))) return {};
    // A rule without visitors costs nothing, one with some a walk over the whole file.
    if (!context.sourceCode.text.includes("Error")) return {};
    return {
      NewExpression({ callee, arguments: values }) {
        if (callee.type !== "Identifier" || !callee.name.endsWith("Error")) return;
        check(values[callee.name === "AggregateError" ? 1 : 0]);
      },
      'ClassDeclaration[superClass.name=/Error$/] CallExpression[callee.type="Super"]'(
        call: Deno.lint.CallExpression,
      ) {
        check(call.arguments[0]);
      },
    };

    function check(message: Deno.lint.Node | undefined): void {
      if (message === undefined) return;
      const [start, end] = [textAt(message, 0), textAt(message, -1)];
      if (start !== undefined && !/^Cannot (\S|$)/.test(start)) {
        report(message, 'Cannot take this error message: it must start with "Cannot <action>"');
      }
      if (end !== undefined && /(?<!\.)\.$/.test(end)) {
        report(message, "Cannot take this error message: it must have no final period");
      }
    }

    function report(node: Deno.lint.Node, message: string): void {
      context.report({ node, message, hint: 'Write: Cannot <action> "<value>": <state>' });
    }
  },
};

/** The literal text at the start (0) or the end (-1) of a message, if there is any. */
function textAt(node: Deno.lint.Node, side: 0 | -1): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "BinaryExpression") return textAt(side === 0 ? node.left : node.right, side);
  if (node.type !== "TemplateLiteral") return undefined;
  const text = node.quasis.at(side)?.cooked;
  return text === "" && node.quasis.length > 1 ? undefined : text;
}

const MAIN = "mcp_server/main.ts";
const OUTSIDE = /^(args|argv|env|exit|exitCode)$/;

/** Allows only the server's `main.ts` to read arguments and environment, and to end the process. */
export const mainOnly: Deno.lint.Rule = {
  create(context) {
    const path = pathInRepository(context.filename);
    if (!path.startsWith("mcp_server/") || path === MAIN) return {};
    if (isTest(path) || isExample(path)) return {};
    if (!/\b(Deno|process)\b/.test(context.sourceCode.text)) return {};
    return {
      MemberExpression(node) {
        const { object, property } = node;
        if (object.type !== "Identifier" || !/^(Deno|process)$/.test(object.name)) return;
        if (property.type !== "Identifier" || !OUTSIDE.test(property.name)) return;
        context.report({
          node,
          message: `Cannot use "${object.name}.${property.name}" here: only ${MAIN} may`,
          hint: "Take the value as an argument",
        });
      },
    };
  },
};

/** Rejects `utils.ts` and the like: a file is named after what it holds. */
export const noUtils: Deno.lint.Rule = {
  create(context) {
    const path = pathInRepository(context.filename);
    if (!/(^|\/)(utils?|helpers?|misc|common)(\/|\.)/.test(path)) return {};
    return {
      Program(node) {
        context.report({
          node,
          message: `Cannot name a file "${path}": a file is named after its main export`,
        });
      },
    };
  },
};

import { isExample, isTest, pathInRepository } from "./module_paths.ts";

const MAIN = "mcp_server/main.ts";
const OUTSIDE = /^(args|argv|env|exit|exitCode)$/;

/** Only the server's `main.ts` reads arguments and environment, and ends the process. */
export const mainOnly: Deno.lint.Rule = {
  create(context) {
    const path = pathInRepository(context.filename);
    if (!path.startsWith("mcp_server/") || path === MAIN) return {};
    if (isTest(path) || isExample(path)) return {};
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

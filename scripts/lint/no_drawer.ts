import { pathInRepository } from "./module_paths.ts";

/** A file is named after what it holds; there is no drawer for the rest. */
export const noDrawer: Deno.lint.Rule = {
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

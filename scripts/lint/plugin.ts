import { errorMessage, mainOnly, noUtils } from "./house_rules.ts";
import { layers } from "./layers.ts";

/** The project's own rules for `deno lint`. */
const plugin: Deno.lint.Plugin = {
  name: "trestle",
  rules: {
    layers,
    "main-only": mainOnly,
    "error-message": errorMessage,
    "no-utils": noUtils,
  },
};

export default plugin;

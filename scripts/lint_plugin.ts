import { errorMessage } from "./lint/error_message.ts";
import { layers } from "./lint/layers.ts";
import { mainOnly } from "./lint/main_only.ts";
import { noDrawer } from "./lint/no_drawer.ts";

/** The rules of this house that `deno lint` does not know by itself. */
const plugin: Deno.lint.Plugin = {
  name: "trestle",
  rules: {
    layers,
    "main-only": mainOnly,
    "error-message": errorMessage,
    "no-drawer": noDrawer,
  },
};

export default plugin;

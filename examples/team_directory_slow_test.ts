import { deepStrictEqual } from "node:assert/strict";
import { builtPackage } from "../scripts/npm/testing/built_package.ts";
import { buildExample, EXAMPLE_FOLDER } from "../scripts/example/example_app.ts";
import { launchChromium } from "../test_support/browser/launch_chromium.ts";
import { serveFolder } from "../test_support/browser/serve_page.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import type { ExampleStep, Stage } from "./testing/example_step.ts";
import { openExample } from "./testing/example_tab.ts";
import { FEATURE_STEPS } from "./testing/feature_steps.ts";
import { isLive, MOCK_MARKS, mockMarksIn } from "./testing/production_site.ts";
import { QUALITY_STEPS } from "./testing/quality_steps.ts";

/** The repository's checks leave the app out, because it is not part of the Deno workspace. */
const FORMAT = ["fmt", "--check", "--no-config", "--line-width=100", "--unstable-component"];
const LINT = ["lint", "--no-config"];

async function runDeno(args: readonly string[]): Promise<number> {
  const folder = `${ROOT}/${EXAMPLE_FOLDER}`;
  const command = new Deno.Command(Deno.execPath(), { args: [...args, folder], cwd: folder });
  return (await command.spawn().status).code;
}

/** Steps mostly wait, and each has its own tab and server. */
const LANES = 3;

async function runSteps(t: Deno.TestContext, steps: ExampleStep[], stage: Stage): Promise<void> {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const [name, run] = step;
    await t.step({ name, fn: () => run(stage), ...TOGETHER });
  }
}

/** The resource sanitizer can't attribute resources to steps that run in parallel. */
const TOGETHER = { sanitizeOps: false, sanitizeResources: false, sanitizeExit: false };

const NAME = "the example app works from the packed packages";

Deno.test({
  ...requires("chromium", requires("node", NAME).name),
  fn: async (t) => {
    await using mock = await builtPackage("mirage_graphql");
    await using wrapper = await builtPackage("api_wrapper");
    await using built = await buildExample([mock.tarball, wrapper.tarball]);
    const types = built.checkTypes();
    await using site = serveFolder(built.site);
    const browser = await launchChromium();
    try {
      const open: Stage["open"] = (path, options) =>
        openExample(browser, `${site.url}${path}`, options);
      const steps = [...QUALITY_STEPS, ...FEATURE_STEPS];
      await Promise.all(Array.from({ length: LANES }, () => runSteps(t, steps, { open })));
      const production = await built.buildForProduction();
      await t.step("a production build leaves the mock server out", async () => {
        deepStrictEqual(await mockMarksIn(built.site), MOCK_MARKS);
        deepStrictEqual(await mockMarksIn(production), []);
      });
      await t.step("the production build is live with a server", () => isLive(browser, production));
    } finally {
      await browser.close();
    }
    await t.step("it is formatted and has no lint", async () => {
      deepStrictEqual(await Promise.all([runDeno(FORMAT), runDeno(LINT)]), [0, 0]);
    });
    await t.step("its types fit", async () => {
      deepStrictEqual(await types, { success: true, output: "" });
    });
  },
});

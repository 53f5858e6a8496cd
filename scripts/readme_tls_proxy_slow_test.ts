import { match, strictEqual } from "node:assert/strict";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { launchChromium } from "../test_support/browser/launch_chromium.ts";
import { startNginx } from "./testing/nginx.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { openConsole } from "../console/testing/console_tab.ts";

const TOKEN = "tls-proxy-test-token";

/** The nginx site of the documentation, on another port than 443. */
async function site(): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/deploy.md`);
  const [shown] = codeBlocks(page).filter(({ language }) => language === "nginx");
  return (shown?.code ?? "").replace("Host $host;", "Host $host:$server_port;");
}

const NAME = "the console works behind nginx with TLS, and says if its script is missing";
const NEEDS = [requires("nginx", NAME), requires("chromium", NAME)] as const;

Deno.test({
  ...(NEEDS.find(({ ignore }) => ignore) ?? NEEDS[0]),
  fn: async (t) => {
    await using folder = await createTempFolder();
    await using server = await startServer({
      env: { MCP_TOKEN: TOKEN, MCP_DATA_DIR: folder.path, MCP_AUDIT_FILE: "/dev/null" },
      args: ["--log-level", "error"],
    });
    await using nginx = await startNginx(await site(), new URL(server.url));
    await using browser = await launchChromium();

    await t.step("a command runs, and its output and result are shown", async () => {
      await using tab = await openConsole(browser, nginx.url, {
        token: TOKEN,
        path: "/tools/exec-command",
        ignoreHTTPSErrors: true,
      });
      await tab.field("command").fill("echo by TLS; exit 3");
      await tab.role("button", "Run").click();
      await tab.outputs("by TLS");
      await tab.shows("exit 3");
    });

    await t.step(
      "a page of another origin can't call, and no console file is a blank page",
      async () => {
        const context = await browser.newContext({ ignoreHTTPSErrors: true });
        await using _gone = { [Symbol.asyncDispose]: () => context.close() };
        const page = await context.newPage();
        await page.route("**/console/main.js", (route) => route.abort());
        await page.goto(nginx.url);
        await page.getByText("The console has not started").waitFor({ timeout: 60_000 });
        match(await page.locator("body").innerText(), /The server itself answers/);
        using client = Deno.createHttpClient({ caCerts: [nginx.cert] });
        const headers = { authorization: `Bearer ${TOKEN}`, origin: "https://localhost" };
        const foreign = await fetch(`${nginx.url}/api/tools`, { client, headers });
        strictEqual((await foreign.json()).code, "ORIGIN_NOT_ALLOWED");
      },
    );
  },
});

import { createApp, parseConfig, serveHttp } from "@trestle/mcp-server";
import type { Page } from "playwright-core";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { Scene } from "./scene.ts";

const SIZE = { width: 1360, height: 900 };
const TOKEN = "screenshot";

/** What the command in the picture writes, as a build would. */
const COMMAND = String.raw`step() { printf '\033[32m✓\033[0m %-34s \033[2m%s\033[0m\n' "$1" "$2"; }
printf '\033[1mbuilding web-3\033[0m\n'
step "fetched 214 packages" "1.9 s"
step "compiled 1,032 modules" "4.2 s"
echo "warning: 3 images are larger than 200 KB" >&2
step "rendered 48 pages" "0.8 s"
printf '\033[36mdist/\033[0m 3.1 MB, ready to deploy\n'`;

/** The tool server's console after a command has run. */
export async function openConsole(): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  const env = { MCP_TOKEN: TOKEN, MCP_DATA_DIR: path, MCP_AUDIT_FILE: "/dev/null" };
  const args = ["--port", "0", "--log-level", "error"];
  const config = parseConfig(args, { PATH: Deno.env.get("PATH") ?? "", ...env }, 2);
  const app = await createApp(config);
  stack.defer(() => app.close());
  const server = await serveHttp(app, config);
  stack.defer(() => server.close());
  const parts = stack.move();
  return {
    file: "mcp_server/docs/console.webp",
    show: (page) => runCommand(page, server.address),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function runCommand(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/tools`);
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("link", { name: /^bash-script/ }).click();
  await page.getByLabel("script*").fill(COMMAND);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".summary .state-done").waitFor();
  await page.setViewportSize(SIZE);
  await page.evaluate("scrollTo(0, 0)");
}

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
export function openConsole(): Promise<Scene> {
  return openScene("mcp_server/docs/console.webp", runCommand);
}

/** The console's list of jobs, of which one has failed and one runs. */
export function openJobs(): Promise<Scene> {
  return openScene("mcp_server/docs/console_jobs.webp", showJobs);
}

/** A job on a terminal, which asks a question. */
export function openTerminal(): Promise<Scene> {
  return openScene("mcp_server/docs/console_terminal.webp", showTerminal);
}

/** The console's page about the health of the server, after calls of several tools. */
export function openHealth(): Promise<Scene> {
  return openScene("mcp_server/docs/console_health.webp", showHealth);
}

async function openScene(
  file: string,
  show: (page: Page, url: string) => Promise<void>,
): Promise<Scene> {
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
    file,
    show: (page) => show(page, server.address),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const JOBS: readonly (readonly [title: string, command: string])[] = [
  ["Build web-3", "echo built"],
  ["Back up the database", "sleep 1; echo done"],
  ["Build web-3", "echo 'error: cannot find module' >&2; exit 2"],
  ["Rotate the logs", "true"],
  ["Follow the queue", "echo waiting; sleep 600"],
];

async function logIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Calls a tool, as a job if headers say so; resolves with the answer. */
async function post(
  url: string,
  call: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: {
      "authorization": `Bearer ${TOKEN}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(call),
  });
  return await response.json();
}

/** What a deployment in the picture asks. */
const QUESTION = String.raw`printf '\033[1mweb-3\033[0m runs 2.4.1, the build is 2.5.0\n'
printf '\033[33m3 migrations\033[0m will change the database\n\n'
printf 'Deploy to production? [y/N] '; read answer
printf '\033[32m✓\033[0m migrated\n\033[32m✓\033[0m restarted web-3\n'; sleep 600`;

async function showTerminal(page: Page, url: string): Promise<void> {
  const { id } = await post(url, {
    tool: "bash-script",
    args: { script: QUESTION },
    title: "Deploy web-3",
    tty: { rows: 12, cols: 100 },
  }, { prefer: "respond-async" });
  await logIn(page, `${url}/#/jobs/${id}`);
  const rows = page.locator(".job-terminal .xterm-rows > div");
  await rows.getByText("Deploy to production?").waitFor();
  await page.locator(".job-terminal textarea:focus").waitFor();
  await page.keyboard.type("y\n");
  await rows.getByText("restarted web-3").waitFor();
  await page.setViewportSize({ width: SIZE.width, height: 560 });
}

async function showHealth(page: Page, url: string): Promise<void> {
  const calls: readonly (readonly [tool: string, args: object])[] = [
    ["bash-script", { script: "sleep 0.4" }],
    ["exec-command", { command: "sleep 1" }],
    ["read-file", { path: "/etc/hostname" }],
    ["read-file", { path: "/etc/missing" }],
    ["list-files", { path: "/etc" }],
    ["job-list", {}],
  ];
  await logIn(page, `${url}/#/health`);
  await page.getByRole("heading", { name: "Health" }).waitFor();
  // So many rounds take a minute, in which the charts get their lines.
  for (let round = 0; round < 35; round++) {
    for (const [tool, args] of calls) await post(url, { tool, args });
  }
  await page.getByRole("region", { name: "Tools" }).getByText("read-file").waitFor();
  await page.locator(".chart", { hasText: "Memory" }).getByText(/MiB$/).first().waitFor();
  await page.setViewportSize({ width: SIZE.width, height: 800 });
}

async function showJobs(page: Page, url: string): Promise<void> {
  for (const [title, command] of JOBS) {
    await post(url, { tool: "exec-command", args: { command }, title }, {
      prefer: "respond-async, wait=2",
    });
  }
  await logIn(page, `${url}/#/jobs`);
  await page.getByText("exit 2").waitFor();
  await page.getByText("1 running, 0 queued").waitFor();
  await page.setViewportSize({ width: SIZE.width, height: 460 });
}

async function runCommand(page: Page, url: string): Promise<void> {
  await logIn(page, `${url}/#/tools`);
  await page.getByRole("link", { name: /^bash-script/ }).click();
  await page.getByLabel("script*").fill(COMMAND);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".summary .state-done").waitFor();
  await page.setViewportSize({ ...SIZE, height: 1120 });
  await page.evaluate("scrollTo(0, 0)");
}

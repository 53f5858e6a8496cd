import type { Browser } from "playwright-core";
import { ACCOUNT, startIssuer, type TestIssuer } from "../../mcp_server/testing/issuer.ts";
import { freePort } from "../../mcp_server/testing/free_port.ts";
import { type ServerProcess, startServer } from "../../mcp_server/testing/server_process.ts";
import { launchChromium } from "../../test_support/browser/launch_chromium.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { type ConsoleTab, openConsole, type OpenOptions } from "./console_tab.ts";

/** The token of the test's server. */
export const TOKEN = "console-test-token";

/** The token of a caller with few rights. */
export const READER_TOKEN = "console-test-reader";

/** The token of a caller whose commands need approval. */
export const ASKER_TOKEN = "console-test-asker";

const ASKER = { tools: ["exec-command"], ask: ["exec-command"] };
const PERSON = { tools: ["*"], hosts: ["*"], paths: ["/**"], admin: true };
const READER = { tools: ["read-file", "job-*"], paths: ["/srv/**"], databases: { main: "ro" } };

/** A real server with the console, the issuer at which people log in, and one browser for all tabs. */
export interface ConsoleSite extends AsyncDisposable {
  readonly issuer: TestIssuer;
  /** Address of the server, without a slash at the end. */
  readonly url: string;
  /** A folder for the files of a test. */
  readonly folder: string;
  /** Opens the console in a tab of its own, logged in unless `token` is empty. */
  open(options?: OpenOptions): Promise<ConsoleTab>;
  /** Calls the HTTP API with the token. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Starts a job with one command, and returns its id. */
  startJob(command: string, options?: { stdin?: boolean }): Promise<string>;
  stop(): Promise<void>;
  /** Starts the server again, at the same address and with the same jobs. */
  start(): Promise<void>;
}

const TOOLS = new URL("../testdata/tools", import.meta.url).pathname;

/** Starts the server and the browser. */
export async function createConsoleSite(): Promise<ConsoleSite> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createTempFolder());
  const browser: Browser = await launchChromium();
  stack.defer(() => browser.close());
  const callers = `${folder}/callers.json`;
  const tokenSha256 = await digestOf(READER_TOKEN);
  const port = freePort();
  const resource = `http://127.0.0.1:${port}`;
  const issuer = stack.use(await startIssuer(resource));
  const asker = { tokenSha256: await digestOf(ASKER_TOKEN), ...ASKER };
  const content = JSON.stringify({
    callers: {
      reader: { tokenSha256, ...READER },
      asker,
      [ACCOUNT]: { subject: ACCOUNT, ...PERSON },
    },
  });
  await Deno.writeTextFile(callers, content, { mode: 0o600 });
  const env = {
    MCP_CALLERS_FILE: callers,
    MCP_PORT: String(port),
    MCP_OAUTH_ISSUER: issuer.url,
    MCP_OAUTH_RESOURCE: resource,
    MCP_OAUTH_CONSOLE_CLIENT_ID: await registerConsole(issuer, `${resource}/`),
    MCP_TOKEN: TOKEN,
    MCP_DATA_DIR: `${folder}/data`,
    MCP_AUDIT_FILE: "/dev/null",
    MCP_JOB_OUTPUT_BYTES: String(1024 * 1024),
  };
  const run = () => startServer({ env, args: ["--tools", TOOLS, "--log-level", "error"] });
  let server: ServerProcess = await run();
  stack.defer(() => server[Symbol.asyncDispose]());
  const { url } = server;
  const send: ConsoleSite["send"] = (path, init = {}) => {
    const headers = { authorization: `Bearer ${TOKEN}`, ...init.headers };
    return fetch(`${url}${path}`, { ...init, headers });
  };
  const parts = stack.move();
  return {
    url,
    issuer,
    folder,
    send,
    open: (options = {}) => openConsole(browser, url, { token: TOKEN, ...options }),
    startJob: async (command, { stdin = false } = {}) => {
      const call = { tool: "exec-command", args: { commands: [{ command }] }, stdin };
      const response = await send("/api", {
        method: "POST",
        headers: { "content-type": "application/json", prefer: "respond-async" },
        body: JSON.stringify(call),
      });
      return (await response.json()).id;
    },
    stop: async () => void await server.stop(),
    start: async () => {
      server = await run();
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Registers the console as a public client, and returns its id. */
async function registerConsole({ url }: TestIssuer, redirectUri: string): Promise<string> {
  const response = await fetch(`${url}/reg`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "console",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }),
  });
  return (await response.json()).client_id;
}

async function digestOf(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
    .toHex();
}

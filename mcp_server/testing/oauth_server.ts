import { createTempFolder } from "../../test_support/temp_folder.ts";
import { startIssuer, type TestIssuer } from "./issuer.ts";
import { type ServerProcess, startServer } from "./server_process.ts";

/** A server that accepts the tokens of an issuer, both real. */
export interface OAuthServer extends AsyncDisposable {
  readonly url: string;
  /** Its stderr has the audit too. */
  readonly process: ServerProcess;
  readonly issuer: TestIssuer;
  readonly resource: string;
}

/** The resource of a server that clients reach under another name than it listens on. */
export const RESOURCE = "https://tools.example.org/mcp";

/** Starts an issuer and a server, which logs everything. */
export async function startOAuthServer(
  env: Readonly<Record<string, string>> = {},
): Promise<OAuthServer> {
  await using stack = new AsyncDisposableStack();
  const resource = env.MCP_OAUTH_RESOURCE ?? RESOURCE;
  const issuer = stack.use(await startIssuer(resource));
  const folder = stack.use(await createTempFolder());
  const process = stack.use(
    await startServer({
      env: {
        MCP_OAUTH_ISSUER: issuer.url,
        MCP_OAUTH_RESOURCE: resource,
        MCP_DATA_DIR: `${folder.path}/data`,
        MCP_LOG_LEVEL: "debug",
        ...env,
      },
    }),
  );
  const ends = stack.move();
  return {
    url: process.url,
    process,
    issuer,
    resource,
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** The header that sends a token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

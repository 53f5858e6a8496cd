import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

const CALLBACK = "http://127.0.0.1/callback";

/** What an MCP client keeps about its authorization, in memory. */
export class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = {
    client_name: "test",
    redirect_uris: [CALLBACK],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  /** Where the user was sent, in order. */
  readonly redirects: URL[] = [];
  held: OAuthTokens | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens(): OAuthTokens | undefined {
    return this.held;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.held = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.redirects.push(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }
}

/** The SDK's client, whose user logs in whenever it asks. */
export class LoginClient implements AsyncDisposable {
  readonly provider = new MemoryProvider();
  #transport: StreamableHTTPClientTransport;
  #client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
    this.#transport = this.#createTransport();
  }

  /** Does something with a connected client, and again after the user has logged in. */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      if (this.#client.transport === undefined) await this.#client.connect(this.#transport);
      return await work(this.#client);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
    }
    const target = this.provider.redirects.at(-1);
    if (target === undefined) throw new Error("Cannot log in: the client asks no user to");
    const returned = await logIn(target);
    await this.#transport.finishAuth(returned.searchParams);
    await this.#client.close();
    this.#transport = this.#createTransport();
    this.#client = new Client({ name: "test", version: "1" }, {
      versionNegotiation: { mode: "auto" },
    });
    await this.#client.connect(this.#transport);
    return await work(this.#client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }

  #createTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.#url, { authProvider: this.provider });
  }
}

const MOST_REDIRECTS = 10;

/** Follows the redirects of a login as a browser does, up to the URL of the client. */
async function logIn(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let at = 0; at < MOST_REDIRECTS; at++) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const { headers, status, body } = await fetch(url, {
      redirect: "manual",
      headers: { cookie, accept: "text/html" },
    });
    const text = await new Response(body).text();
    for (const line of headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = headers.get("location");
    if (location === null) throw new Error(`Cannot log in: ${url} answers ${status} ${text}`);
    url = new URL(location, url);
    if (url.href.startsWith(`${CALLBACK}?`)) return url;
  }
  throw new Error(`Cannot log in: more than ${MOST_REDIRECTS} redirects`);
}

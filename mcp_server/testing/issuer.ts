import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/** What is used of the package `oidc-provider`, which has no types of its own. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  readonly Grant: new (of: { clientId: string; accountId: string }) => {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  };
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: { login: { accountId: string }; consent: object },
  ): Promise<void>;
}

/** What the provider passes to the functions of its configuration. */
interface Context {
  readonly oidc: {
    readonly provider: Provider;
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly params: { readonly scope?: string };
  };
}

/** A key that signs tokens. */
export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly kid: string;
}

/** A real authorization server on a free port of 127.0.0.1, whose keys the test knows. */
export interface TestIssuer extends AsyncDisposable {
  readonly url: string;
  /** The key that signs tokens now. */
  readonly key: SigningKey;
  /** The paths of all requests so far. */
  readonly requests: readonly string[];
  /** Signs claims with the key of the issuer; `iss`, `sub`, `aud`, `exp` are those of a good token. */
  sign(claims?: object, header?: object): Promise<string>;
  /** Replaces the key; tokens that are signed with the last one are those of nobody. */
  rotate(): Promise<void>;
  /** Stops to answer. */
  stop(): Promise<void>;
  /** Answers again, on the same port. */
  start(): Promise<void>;
}

/** The scopes that the issuer knows. */
const SCOPE = "tools:read tools:write tools:exec admin";
/** Who logs in. */
export const ACCOUNT = "alice";

/** Starts an issuer of tokens for a resource. */
export async function startIssuer(resource: string): Promise<TestIssuer> {
  const requests: string[] = [];
  let server = createServer();
  await listen(server, 0);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  let key = await createSigningKey();
  let provider = await createProvider(url, resource, key);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.url ?? "");
    if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
    const done = { login: { accountId: ACCOUNT }, consent: {} };
    return provider.interactionFinished(request, response, done);
  };
  server.on("request", answer);
  const stop = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    server.closeAllConnections();
    await promise;
  };
  return {
    url,
    requests,
    get key() {
      return key;
    },
    sign: async (claims = {}, header = {}) =>
      await new SignJWT({
        iss: url,
        sub: ACCOUNT,
        aud: resource,
        exp: secondsFromNow(300),
        scope: "tools:read",
        ...claims,
      }).setProtectedHeader({ alg: "ES256", kid: key.kid, typ: "at+jwt", ...header })
        .sign(key.privateKey),
    rotate: async () => {
      key = await createSigningKey();
      provider = await createProvider(url, resource, key);
    },
    stop,
    start: async () => {
      server = createServer(answer);
      await listen(server, port);
    },
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await stop();
    },
  };
}

/** Seconds of the epoch. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

async function createSigningKey(): Promise<SigningKey> {
  const pair = await generateKeyPair("ES256", { extractable: true });
  return { ...pair, kid: await calculateJwkThumbprint(await exportJWK(pair.publicKey)) };
}

async function listen(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", () => resolve());
  await promise;
}

async function createProvider(
  url: string,
  resource: string,
  { privateKey, kid }: SigningKey,
): Promise<Provider> {
  const { default: OidcProvider }: {
    default: new (issuer: string, configuration: object) => Provider;
  } = await import("oidc-provider");
  const jwk: JWK = { ...await exportJWK(privateKey), kid, use: "sig", alg: "ES256" };
  return new OidcProvider(url, {
    jwks: { keys: [jwk] },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    cookies: { keys: ["a key for the cookies of a test"] },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: Context, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id }),
    }),
    issueRefreshToken: () => true,
    // The console of a server is a page of another origin.
    clientBasedCORS: () => true,
    // Clients may get scopes that they did not register with, as they need to for a step-up.
    extraClientMetadata: {
      properties: ["any"],
      validator: (_context: Context, _key: string, _value: unknown, client: { scope?: string }) =>
        void delete client.scope,
    },
    scopes: ["openid", "offline_access", ...SCOPE.split(" ")],
    ttl: { AccessToken: 300, Grant: 300, Interaction: 300, RefreshToken: 300, Session: 300 },
    loadExistingGrant: grantAsked(resource),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: Context, audience: string) => ({
          scope: SCOPE,
          audience,
          accessTokenFormat: "jwt",
          accessTokenTTL: 300,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  });
}

/** Consents to what the client requests, so that only the login is left to do. */
function grantAsked(resource: string) {
  return async ({ oidc: { provider, client, session, params } }: Context) => {
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope(`openid offline_access ${params.scope ?? ""}`);
    grant.addResourceScope(resource, params.scope ?? "");
    await grant.save();
    return grant;
  };
}

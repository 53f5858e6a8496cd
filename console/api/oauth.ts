import * as oauth from "oauth4webapi";
import { isRecord, Problem } from "./problem.ts";

/** How people log in at the issuer, as the server says it. */
export interface LoginSettings {
  readonly issuer: string;
  /** What tokens are for. */
  readonly resource: string;
  readonly clientId: string;
}

/** What the issuer has given; it is kept in memory only. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** How many seconds the access token is accepted; unknown if the issuer does not say. */
  readonly expiresIn: number | undefined;
}

/** What is remembered while the issuer has the page, in the storage of the tab. */
interface Pending {
  readonly state: string;
  readonly verifier: string;
  /** What was shown before. */
  readonly hash: string;
}

const KEY = "trestle.login";
const SCOPES = "tools:read tools:write tools:exec";
/** How long the issuer may take for an answer. */
const ANSWER_MS = 20_000;

/** Leaves the page for the issuer, which leads back to it. */
export async function leaveForIssuer(settings: LoginSettings, isAdmin: boolean): Promise<void> {
  const server = await discover(settings);
  if (server.authorization_endpoint === undefined) {
    throw unusable("it has no authorization endpoint");
  }
  const verifier = oauth.generateRandomCodeVerifier();
  const pending: Pending = {
    state: oauth.generateRandomState(),
    verifier,
    hash: location.hash,
  };
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: settings.clientId,
    redirect_uri: redirectUri(),
    scope: isAdmin ? `${SCOPES} admin` : SCOPES,
    resource: settings.resource,
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** What the issuer has led back with, and removes it from the address; `undefined` if it has not. */
export function takeReturn(): ((settings: LoginSettings) => Promise<Tokens>) | undefined {
  const parameters = new URLSearchParams(location.search);
  const pending = parsePending(sessionStorage.getItem(KEY));
  if (!parameters.has("state")) return undefined;
  sessionStorage.removeItem(KEY);
  history.replaceState(null, "", "/");
  // Unlike the line above, this is an event for what shows the page of an address.
  location.replace(pending?.hash || "#/");
  return async (settings) => {
    if (pending === undefined) throw unusable("this tab has not asked for it");
    return await redeem(settings, parameters, pending).catch((error) => {
      throw unusable(reasonOf(error));
    });
  };
}

/** Gets new tokens for a refresh token. */
export async function renew(settings: LoginSettings, refreshToken: string): Promise<Tokens> {
  const [server, client] = [await discover(settings), clientOf(settings)];
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refreshToken,
    { ...optionsFor(settings), additionalParameters: { resource: settings.resource } },
  );
  return toTokens(await oauth.processRefreshTokenResponse(server, client, response), refreshToken);
}

async function redeem(
  settings: LoginSettings,
  parameters: URLSearchParams,
  { state, verifier }: Pending,
): Promise<Tokens> {
  const [server, client] = [await discover(settings), clientOf(settings)];
  const code = oauth.validateAuthResponse(server, client, parameters, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    code,
    redirectUri(),
    verifier,
    { ...optionsFor(settings), additionalParameters: { resource: settings.resource } },
  );
  return toTokens(await oauth.processAuthorizationCodeResponse(server, client, response));
}

/** Finds the metadata of the issuer (RFC 8414, or else OpenID Connect Discovery 1.0). */
async function discover(settings: LoginSettings): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  const ask = (algorithm: "oauth2" | "oidc") =>
    oauth.discoveryRequest(issuer, { ...optionsFor(settings), algorithm });
  const first = await ask("oauth2").catch(() => undefined);
  const response = first?.ok === true ? first : await ask("oidc");
  return await oauth.processDiscoveryResponse(issuer, response);
}

/** The server accepts an issuer without TLS on its own machine only. */
function optionsFor({ issuer }: LoginSettings) {
  return {
    [oauth.allowInsecureRequests]: issuer.startsWith("http:"),
    signal: () => AbortSignal.timeout(ANSWER_MS),
  };
}

function clientOf({ clientId }: LoginSettings): oauth.Client {
  return { client_id: clientId };
}

function redirectUri(): string {
  return `${location.origin}/`;
}

function toTokens(answer: oauth.TokenEndpointResponse, refreshToken?: string): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? refreshToken,
    expiresIn: answer.expires_in,
  };
}

function parsePending(text: string | null): Pending | undefined {
  const value: unknown = text === null ? undefined : JSON.parse(text);
  if (!isRecord(value)) return undefined;
  const { state, verifier, hash } = value;
  return typeof state === "string" && typeof verifier === "string" && typeof hash === "string"
    ? { state, verifier, hash }
    : undefined;
}

function reasonOf(error: unknown): string {
  const isRefused = error instanceof oauth.AuthorizationResponseError ||
    error instanceof oauth.ResponseBodyError;
  if (isRefused) return `it answered with ${error.error}`;
  return error instanceof Error ? error.message : String(error);
}

function unusable(why: string): Problem {
  return new Problem(`Cannot log in at the issuer: ${why}`, { status: 400 });
}

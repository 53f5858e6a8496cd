import type { RecordRef } from "../orm/writes/record_ref.ts";
import { isObject } from "../shared/values.ts";

/** How many tokens of sessions that have ended are kept; the oldest are forgotten. */
const MAX_ENDED = 1_000;

/** 2100-01-01, in seconds: apps that read the expiry of a token keep it. */
const EXPIRY = 4_102_444_800;

const ISSUER = "mirage-graphql";

/** What a mock knows about its sessions. */
export interface SessionState {
  /** Tokens of sessions that have ended. */
  readonly ended: ReadonlySet<string>;
  /** How many tokens there have been. */
  readonly issued: number;
  /** The user of requests without a token; `null` after a logout, `undefined` before any login. */
  readonly current: RecordRef | null | undefined;
  /** Whether clients send tokens, so that a request without one is nobody's. */
  readonly hasTokens: boolean;
}

/**
 * The sessions of one mock. A token is an unsigned JSON Web Token with the user's model and id, so
 * that it is recognized without a table, also after a page has been loaded again.
 */
export class SessionStore {
  /** Called after each change. */
  onChange: (() => void) | undefined;
  #state: SessionState = { ended: new Set(), issued: 0, current: undefined, hasTokens: false };

  /** What is known now; it can be replaced by what was known. */
  get state(): SessionState {
    return this.#state;
  }

  set state(state: SessionState) {
    this.#state = state;
    this.onChange?.();
  }

  /** Starts a session of a user, and returns its token. */
  start({ modelName, id }: RecordRef): string {
    const issued = this.#state.issued + 1;
    this.state = { ...this.#state, issued, current: { modelName, id } };
    const claims = { iss: ISSUER, sub: id, model: modelName, exp: EXPIRY, jti: issued };
    return `${encode({ alg: "none", typ: "JWT" })}.${encode(claims)}.mock`;
  }

  /** Ends the session of a token, by default that of a request. */
  end(context: unknown, token: string = tokenIn(context)): void {
    if (this.#userOfToken(token) === undefined) {
      this.state = { ...this.#state, current: null };
      return;
    }
    const ended = [...this.#state.ended, token].slice(-MAX_ENDED);
    this.state = { ...this.#state, ended: new Set(ended) };
  }

  /**
   * The user of a request: that of its token, or of the last login if no request has had a token.
   * `null` if nobody is logged in, and `undefined` if nobody has been.
   */
  userOf(context: unknown): RecordRef | null | undefined {
    const { hasTokens, current } = this.#state;
    const user = this.#userOfToken(tokenIn(context));
    if (user === undefined) return hasTokens ? null : current;
    if (!hasTokens) this.state = { ...this.#state, hasTokens: true };
    return user;
  }

  /** The user of a token; `null` if it is not the token of a session. */
  userOfToken(token: unknown): RecordRef | null {
    return this.#userOfToken(String(token)) ?? null;
  }

  #userOfToken(token: string): RecordRef | null | undefined {
    const claims = decode(token.split(".")[1] ?? "");
    if (!isObject(claims) || claims.iss !== ISSUER) return undefined;
    const user = { modelName: String(claims.model), id: String(claims.sub) };
    return this.#state.ended.has(token) ? null : user;
  }
}

function encode(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The value in a part of a token; `undefined` for other texts. */
function decode(part: string): unknown {
  try {
    const text = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (one) => one.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

const HEADER = /^(authorization|x-access-token|x-auth-token|auth-?token|token)$/i;

/** The token of a request, with or without a scheme such as `Bearer`: of its headers, or its socket's. */
function tokenIn(context: unknown): string {
  const request = isObject(context) ? context.request : undefined;
  if (!isObject(request)) return "";
  const { requestHeaders, connectionParams } = request;
  const inner = isObject(connectionParams) ? connectionParams.headers : undefined;
  for (const source of [requestHeaders, connectionParams, inner]) {
    const [, value] = Object.entries(isObject(source) ? source : {})
      .find(([name, value]) => HEADER.test(name) && typeof value === "string") ?? [];
    if (value !== undefined) return String(value).trim().replace(/^\w+\s+/, "");
  }
  return "";
}

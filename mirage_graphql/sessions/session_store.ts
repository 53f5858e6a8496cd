import { isObject } from "../orm/mirage/mirage_schema.ts";
import type { RecordRef } from "../orm/writes/record_ref.ts";

/** How many tokens of sessions that have ended are kept; the oldest are forgotten. */
const MAX_ENDED = 1_000;

/** 2100-01-01, in seconds: apps that read the expiry of a token keep it. */
const EXPIRY = 4_102_444_800;

const ISSUER = "mirage-graphql";

/**
 * The sessions of one mock. A token is an unsigned JSON Web Token with the user's model and id, so
 * that it is recognized without a table, also after a page has been loaded again.
 */
export class SessionStore {
  readonly #ended = new Set<string>();
  #issued = 0;
  /** The user of requests without a token; `null` after a logout, `undefined` before any login. */
  #current: RecordRef | null | undefined;
  /** Whether clients send tokens, so that a request without one is nobody's. */
  #hasTokens = false;

  /** Starts a session of a user, and returns its token. */
  start({ modelName, id }: RecordRef): string {
    this.#current = { modelName, id };
    const claims = { iss: ISSUER, sub: id, model: modelName, exp: EXPIRY, jti: ++this.#issued };
    return `${encode({ alg: "none", typ: "JWT" })}.${encode(claims)}.mock`;
  }

  /** Ends the session of a token, by default that of a request. */
  end(context: unknown, token: string = tokenIn(context)): void {
    if (this.#userOfToken(token) === undefined) {
      this.#current = null;
      return;
    }
    this.#ended.add(token);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= MAX_ENDED) break;
      this.#ended.delete(oldest);
    }
  }

  /**
   * The user of a request: that of its token, or of the last login if no request has had a token.
   * `null` if nobody is logged in, and `undefined` if nobody has been.
   */
  userOf(context: unknown): RecordRef | null | undefined {
    const user = this.#userOfToken(tokenIn(context));
    if (user === undefined) return this.#hasTokens ? null : this.#current;
    this.#hasTokens = true;
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
    return this.#ended.has(token) ? null : user;
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

import { type Refusal, refuse } from "../execution/outcome.ts";

/** Pages of which origins may read responses, and whether browsers may send credentials. */
export interface CorsRules {
  /** The origins, as browsers write them: `https://app.example.com`. */
  readonly origins: readonly string[];
  /**
   * Whether pages may send cookies and HTTP authentication (`credentials: "include"`).
   * @default {false}
   */
  readonly credentials?: boolean;
}

/**
 * Which pages may read responses: those of any origin, of the listed origins, or only of the
 * handler's own. Credentials need {@linkcode CorsRules}: browsers reject them for any origin.
 */
export type CorsOption = boolean | readonly string[] | CorsRules;

/** What a page may send (Fetch standard, "CORS protocol"). */
const PREFLIGHT: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
  "Access-Control-Max-Age": "600",
};

/** Responds to a preflight request; `undefined` if the request is not one. */
export function answerPreflight(request: Request, cors: CorsOption): Response | undefined {
  const { headers, method } = request;
  if (cors === false || method !== "OPTIONS") return undefined;
  if (!headers.has("access-control-request-method")) return undefined;
  const asked = headers.get("access-control-request-headers");
  const response = new Response(null, { status: 204, headers: PREFLIGHT });
  if (asked !== null) response.headers.set("Access-Control-Allow-Headers", asked);
  response.headers.append("Vary", "Access-Control-Request-Headers");
  return allowOrigin(request, response, cors);
}

/** Allows the page of a listed origin to read the response; others get it unchanged. */
export function allowOrigin(request: Request, response: Response, cors: CorsOption): Response {
  if (cors === false || response.type === "error") return response;
  if (cors === true) {
    response.headers.set("Access-Control-Allow-Origin", "*");
    return response;
  }
  const { origins, credentials = false } = toRules(cors);
  response.headers.append("Vary", "Origin");
  const origin = request.headers.get("origin");
  if (origin !== null && origins.includes(origin)) {
    response.headers.set("Access-Control-Allow-Origin", origin);
    if (credentials) response.headers.set("Access-Control-Allow-Credentials", "true");
  }
  return response;
}

/**
 * Refuses the form of a page whose origin isn't listed: browsers send forms without asking before.
 */
export function refuseForm({ headers, url }: Request, cors: CorsOption): Refusal | undefined {
  const origin = headers.get("origin");
  if (typeof cors === "boolean" || origin === null) return undefined;
  if (toRules(cors).origins.includes(origin) || isOwn(origin, url)) return undefined;
  return refuse(403, `Cannot take a form from a page of "${origin}": the origin is not allowed`);
}

/** Whether a page has the host of the handler, which may be behind a proxy with TLS. */
function isOwn(origin: string, url: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}

/**
 * Rejects values that no request, or every request, would match.
 *
 * @throws {TypeError | RangeError} If the option has a wrong shape, or a wrong value.
 */
export function checkCors(cors: CorsOption): void {
  if (typeof cors === "boolean") return;
  if (typeof cors !== "object" || cors === null) {
    throw new TypeError(`Cannot use cors "${cors}": it must be true, false or a list of origins`);
  }
  const { origins, credentials } = toRules(cors);
  if (!Array.isArray(origins)) {
    throw new TypeError(`Cannot use cors.origins "${origins}": it must be a list of origins`);
  }
  if (credentials !== undefined && typeof credentials !== "boolean") {
    throw new TypeError(`Cannot use cors.credentials "${credentials}": it must be true or false`);
  }
  for (const origin of origins) checkOrigin(String(origin));
}

function toRules(cors: readonly string[] | CorsRules): CorsRules {
  return isList(cors) ? { origins: cors } : cors;
}

/** `Array.isArray()` doesn't narrow lists that are read only. */
function isList(cors: readonly string[] | CorsRules): cors is readonly string[] {
  return Array.isArray(cors);
}

/** Only `http:` and `https:` origins are normalized; others are compared as they are. */
function checkOrigin(origin: string): void {
  if (origin === "*") {
    throw new RangeError('Cannot allow the origin "*" in a list: set cors to true');
  }
  const written = /^https?:/i.test(origin) && URL.canParse(origin)
    ? new URL(origin).origin
    : origin;
  if (written === origin) return;
  throw new RangeError(`Cannot allow the origin "${origin}": browsers write it "${written}"`);
}

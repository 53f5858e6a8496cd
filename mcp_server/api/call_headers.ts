import type { Problem } from "../http/problem.ts";
import { parsePrefer } from "./prefer.ts";

/** How a call is carried out: at once, or by a job, as its headers say. */
export type CallWay =
  | { readonly ok: true; readonly isAsync: false }
  | ({ readonly ok: true; readonly isAsync: true } & AsyncWay)
  | { readonly ok: false; readonly problem: Problem };

/** How a call becomes a job. */
export interface AsyncWay {
  /** How long the response waits for the end of the job; absent if the client does not say. */
  readonly waitSeconds?: number;
  /** The same key starts one job only. */
  readonly idempotencyKey?: string;
}

/** The longest `Idempotency-Key`. */
const MOST_KEY = 255;

/** Reads `Prefer` (RFC 7240) and `Idempotency-Key` of a call. */
export function parseCallHeaders(headers: Headers): CallWay {
  const prefer = headers.get("prefer");
  const key = headers.get("idempotency-key");
  if (prefer === null && key === null) return { ok: true, isAsync: false };
  const { respondAsync, waitSeconds } = parsePrefer(prefer ?? "");
  if (!respondAsync) return key === null ? { ok: true, isAsync: false } : refuse(NEEDS_ASYNC);
  if (key !== null && (key === "" || key.length > MOST_KEY)) return refuse(badLength(key));
  return {
    ok: true,
    isAsync: true,
    ...(waitSeconds === undefined ? {} : { waitSeconds }),
    ...(key === null ? {} : { idempotencyKey: key }),
  };
}

const NEEDS_ASYNC = "Idempotency-Key needs the header Prefer: respond-async";

function badLength({ length }: string): string {
  return `Idempotency-Key has ${length} characters; it must have 1 to ${MOST_KEY}`;
}

function refuse(detail: string): CallWay {
  return { ok: false, problem: { status: 400, code: "BAD_REQUEST", detail } };
}

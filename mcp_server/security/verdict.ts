/** The result of a check of a request; a rejection has an HTTP status and a reason for people. */
export type Verdict =
  | { readonly ok: true }
  | {
    readonly ok: false;
    readonly status: 401 | 403;
    readonly code: string;
    readonly reason: string;
  };

/** The one verdict of every request that passes. */
export const PASS: Verdict = Object.freeze({ ok: true });

/**
 * The platform's own `Response`. Mirage puts another into a page's globals while it intercepts
 * requests, one that has no streams.
 */
export const NativeResponse: typeof Response = globalThis.Response;

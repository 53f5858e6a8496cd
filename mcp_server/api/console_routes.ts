import { forReading, type Handler, type Route } from "../http/http_server.ts";
import { problemOf, problemResponse } from "../http/problem.ts";

/** The files of the console, and their media types; the module with their texts is loaded late. */
const TYPES: Readonly<Record<string, string>> = {
  "/": "text/html; charset=utf-8",
  "/console/main.js": "text/javascript; charset=utf-8",
  "/console/style.css": "text/css; charset=utf-8",
  "/console/icon.svg": "image/svg+xml",
};

/** What the page may load and do: its own files and calls of this server, and nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types vue",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-cache",
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "vary": "Accept-Encoding",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * The paths of the console, which are open to browsers of any origin and hold nothing secret: every
 * call that the page makes needs the token. If it is switched off, `/` says so.
 */
export function createConsoleRoutes(isOn: boolean): Route[] {
  if (!isOn) return forReading({ path: "/", open: true, handler: isOff });
  return Object.entries(TYPES).flatMap(([path, type]) => {
    const handler: Handler = (request) => sendFile(path, type, request);
    return forReading({ path, open: true, anyOrigin: true, handler });
  });
}

function isOff(): Response {
  const detail = "The console is switched off; MCP_CONSOLE=on switches it on";
  return problemResponse(problemOf("NOT_FOUND", detail));
}

/** A file of the console: its text as gzip in base64, and a name of this version of it. */
interface ConsoleFile {
  readonly etag: string;
  readonly gzip: string;
}

async function sendFile(path: string, type: string, request: Request): Promise<Response> {
  const { CONSOLE_FILES } = await import("./console_files.js");
  const files: Readonly<Record<string, ConsoleFile>> = CONSOLE_FILES;
  const file = files[path];
  if (file === undefined) throw new Error(`Cannot find the file of "${path}"`);
  const etag = `"${file.etag}"`;
  const headers = { ...HEADERS, etag };
  if (request.headers.get("if-none-match")?.includes(etag)) {
    return new Response(null, { status: 304, headers });
  }
  const bytes = Uint8Array.fromBase64(file.gzip);
  const isPlain = !/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  const body = request.method === "HEAD" ? null : isPlain ? unzip(bytes) : bytes;
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": type,
      ...(isPlain ? {} : { "content-encoding": "gzip" }),
    },
  });
}

function unzip(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from([bytes]).pipeThrough(new DecompressionStream("gzip"));
}

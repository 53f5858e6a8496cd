import type { IncrementalSpec } from "../streams/payloads.ts";

/** The media types of responses, by GraphQL over HTTP, "Media Types". */
export type MediaType = "application/json" | "application/graphql-response+json";

const SUPPORTED: readonly MediaType[] = ["application/json", "application/graphql-response+json"];

const PARTS = "multipart/mixed";

const KNOWN = new Map<string, MediaType | undefined>();
const MAX_KNOWN = 50;

/**
 * Chooses the media type of the response: the one that the client prefers, the first of equals, and
 * `application/json` for clients without `Accept`, and for those that accept only parts, for what
 * has none. `undefined` if the client accepts neither.
 */
export function negotiate(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept === "*/*" || accept.trim() === "") return "application/json";
  const known = KNOWN.get(accept);
  if (known !== undefined) return known;
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  const picked = pick(accept, SUPPORTED) ?? (pick(accept, [PARTS]) && "application/json");
  KNOWN.set(accept, picked);
  return picked;
}

const EVENT_STREAM = "text/event-stream";

/**
 * Whether a client prefers an event stream to JSON. Some clients accept both with every query, and
 * list the event stream last.
 */
export function prefersEventStream(accept: string | null): boolean {
  if (accept === null || !accept.toLowerCase().includes(EVENT_STREAM)) return false;
  return pick(accept, [...SUPPORTED, EVENT_STREAM]) === EVENT_STREAM;
}

/**
 * The format in which a client reads a response in parts: the one that it prefers, and that of
 * 2022-08-24 for clients that name none. `undefined` if it knows none of them; a wildcard does not
 * indicate that.
 */
export function incrementalSpecOf(accept: string | null): IncrementalSpec | undefined {
  if (accept?.toLowerCase().includes(PARTS) !== true) return undefined;
  const ranges = accept.toLowerCase().split(",").map((text) => ({
    ...parseRange(text),
    spec: /;\s*(\w+spec\s*=[^;]*)/.exec(text)?.[1]?.replace(/["\s]/g, "") ?? DEFAULT_SPEC,
  })).filter(({ range, quality }) => range === PARTS && quality > 0);
  const best = ranges.sort((a, b) => b.quality - a.quality);
  for (const { spec } of best) {
    const found = SPECS.find((one) => one.toLowerCase() === spec);
    if (found !== undefined) return found;
  }
  return undefined;
}

const SPECS: readonly IncrementalSpec[] = ["deferSpec=20220824", "incrementalSpec=v0.2"];
const DEFAULT_SPEC = "deferspec=20220824";

/**
 * Whether a client takes a subscription as `multipart/mixed;subscriptionSpec="1.0"`, which Apollo
 * Client's `HttpLink` asks for.
 */
export function acceptsMultipartSubscription(accept: string | null): boolean {
  return accept !== null && accept.toLowerCase().split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim());
    return type === PARTS &&
      parameters.some((parameter) => /^subscriptionspec="?1\.0"?$/.test(parameter));
  });
}

function pick<Type extends string>(accept: string, supported: readonly Type[]): Type | undefined {
  const ranges = accept.toLowerCase().split(",").map(parseRange);
  const best = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ range }) => range);
  for (const { range } of best) {
    const found = supported.find((type) => matches(range, type) && !refused.includes(type));
    if (found !== undefined) return found;
  }
  return undefined;
}

function parseRange(text: string): { range: string; quality: number } {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

function matches(range: string, type: string): boolean {
  return range === type || range === "*/*" || range === `${type.split("/")[0]}/*`;
}

const JSON_TYPE = /^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)$/;
const UTF_8 = /^"?utf-?8"?$/i;

/** Whether a body of that `Content-Type` is JSON in UTF-8. */
export function isJsonType(contentType: string): boolean {
  if (contentType === "application/json") return true;
  const [type = "", ...parameters] = contentType.toLowerCase().split(";").map((part) =>
    part.trim()
  );
  if (!JSON_TYPE.test(type)) return false;
  return parameters.every((parameter) =>
    !parameter.startsWith("charset=") || UTF_8.test(parameter.slice("charset=".length))
  );
}

/** Whether a body is a form with files. */
export function isFormType(contentType: string | null): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType ?? "");
}

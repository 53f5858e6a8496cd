/** The media types of answers, by GraphQL over HTTP, "Media Types". */
export type MediaType = "application/json" | "application/graphql-response+json";

const SUPPORTED: readonly MediaType[] = ["application/json", "application/graphql-response+json"];

const KNOWN = new Map<string, MediaType | undefined>();
const MAX_KNOWN = 50;

/**
 * Picks the media type of the answer: the one that the client likes best, the first of equals, and
 * `application/json` for clients that send no `Accept`. `undefined` where the client takes neither.
 */
export function negotiate(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept === "*/*" || accept.trim() === "") return "application/json";
  if (KNOWN.has(accept)) return KNOWN.get(accept);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  const picked = pick(accept);
  KNOWN.set(accept, picked);
  return picked;
}

function pick(accept: string): MediaType | undefined {
  const ranges = accept.toLowerCase().split(",").map(parseRange);
  const best = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ range }) => range);
  for (const { range } of best) {
    const found = SUPPORTED.find((type) => matches(range, type) && !refused.includes(type));
    if (found !== undefined) return found;
  }
  return undefined;
}

function parseRange(text: string): { range: string; quality: number } {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

function matches(range: string, type: MediaType): boolean {
  return range === type || range === "*/*" || range === "application/*";
}

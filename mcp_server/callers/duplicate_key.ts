/** A member of an object in JSON text, up to its colon, or the bounds of an object. */
const TOKEN = /("(?:[^"\\]|\\.)*")\s*(:?)|[{}]/g;

/** Finds a key that an object of valid JSON text has twice; `JSON.parse()` keeps only the last. */
export function findDuplicateKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, text = "", colon] of json.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    if (colon !== ":") continue;
    const key: string = JSON.parse(text);
    const keys = open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
  }
  return undefined;
}

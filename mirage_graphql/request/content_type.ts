const JSON_TYPE = /^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)$/;
const UTF_8 = /^"?utf-?8"?$/i;

/** Tells whether a body of that `Content-Type` is JSON in UTF-8. */
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

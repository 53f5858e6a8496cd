import { type Refusal, refuse } from "./outcome.ts";

/** Refuses a request whose address can't be read, because the client has sent a wrong `Host`. */
export function checkHost({ url, headers }: Request): Refusal | undefined {
  const host = headers.get("host") ?? "";
  if (URL.canParse(url) && !/[\s/?#@\\]/.test(host)) return undefined;
  return refuse(
    400,
    `Cannot read the address "${url}": its Host must be a name with or without a port`,
  );
}

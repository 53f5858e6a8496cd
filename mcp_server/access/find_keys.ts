import { isJsonObject } from "../shared/json.ts";
import { isSecure, metadataUrlsOf } from "./issuer.ts";
import type { OAuthSettings } from "./oauth_settings.ts";

/** Where the keys of an issuer are. */
export type KeySource = Omit<OAuthSettings, "resource">;

/** Fetches a JSON document. */
export type FetchJson = (url: string) => Promise<unknown>;

/**
 * Finds the URL of an issuer's keys. Tries each place of its metadata that RFC 8414 and OpenID
 * Connect name. Rejects with an `Error` that says what each of them answered.
 */
export async function findKeysUrl(source: KeySource, fetchJson: FetchJson): Promise<string> {
  if (source.jwks !== undefined) return source.jwks;
  const failures: unknown[] = [];
  for (const url of metadataUrlsOf(source.issuer)) {
    try {
      return keysUrlIn(await fetchJson(url), { url, issuer: source.issuer });
    } catch (error) {
      failures.push(error);
    }
  }
  const states = failures.map((error) => error instanceof Error ? error.message : String(error));
  throw new AggregateError(failures, states.join("; "));
}

/**
 * Reads metadata. The issuer in it must be the one that was asked, letter for letter (RFC 8414,
 * section 3.3): otherwise one issuer could speak for another.
 */
function keysUrlIn(
  metadata: unknown,
  { url, issuer }: { readonly url: string; readonly issuer: string },
): string {
  const refuse = (state: string) => new Error(`Cannot use "${url}": ${state}`);
  if (!isJsonObject(metadata)) throw refuse("it is not a JSON object");
  if (metadata.issuer !== issuer) {
    throw refuse(
      `its issuer is ${JSON.stringify(metadata.issuer)?.slice(0, 200)}, not "${issuer}"`,
    );
  }
  const { jwks_uri: keys } = metadata;
  const parsed = typeof keys === "string" ? URL.parse(keys) : null;
  if (parsed === null || !isSecure(parsed)) throw refuse("its jwks_uri is no https URL");
  return parsed.href;
}

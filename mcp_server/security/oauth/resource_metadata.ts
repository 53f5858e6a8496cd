import { SCOPES } from "../../domain/scope.ts";

/** Of whom the metadata is. */
export interface ResourceConfig {
  readonly issuer: string;
  readonly resource: string;
}

/**
 * The metadata of this server (RFC 9728, section 2). `admin` is not offered, because clients request
 * all scopes that they find here; an operator who grants it names it to the client.
 */
export function toResourceMetadata({ issuer, resource }: ResourceConfig): object {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: SCOPES.filter((scope) => scope !== "admin"),
    bearer_methods_supported: ["header"],
    resource_name: "Trestle",
  };
}

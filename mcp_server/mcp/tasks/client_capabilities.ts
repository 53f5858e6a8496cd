import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isJsonObject } from "../../shared/json.ts";

/** The name of the extension (MCP Tasks extension, "Capability Negotiation"). */
export const TASKS = "io.modelcontextprotocol/tasks";

/** The capabilities of the client, as a request of revision 2026-07-28 declares them. */
export function capabilitiesOf({ envelope }: ServerContext["mcpReq"]): unknown {
  return new Map<string, unknown>(Object.entries(envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY);
}

/** Whether this request, and not an earlier one, says that its client knows tasks. */
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  return knowsTasks(capabilitiesOf(mcpReq));
}

/** Whether a client with these capabilities knows tasks. */
export function knowsTasks(capabilities: unknown): boolean {
  const extensions = isJsonObject(capabilities) ? capabilities.extensions : undefined;
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS]);
}

/** Throws the error of a request that only a client that knows tasks may send. */
export function requireTasks(context: ServerContext, what: string): void {
  if (declaresTasks(context)) return;
  const requiredCapabilities = { extensions: { [TASKS]: {} } };
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities },
    `Cannot ${what}: the request does not declare the capability "${TASKS}"`,
  );
}

/** Whether the user of a client with these capabilities can be asked by form. */
export function canAsk(capabilities: unknown): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities.elicitation : undefined;
  return isJsonObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}

import { CLIENT_CAPABILITIES_META_KEY, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { knowsTasks, TASKS } from "./client_capabilities.ts";

/** Whether a message asks for a stream of changes, which lasts until one side ends it. */
export function isSubscription(body: unknown): body is JsonObject {
  return isJsonObject(body) && body.method === "subscriptions/listen";
}

/**
 * Rejects a subscription to tasks by a client that does not declare them; the SDK, which answers
 * subscriptions, knows no tasks. Returns `undefined` for any other message.
 */
export function rejectTaskSubscription(body: unknown): Response | undefined {
  if (!isSubscription(body)) return undefined;
  const { id, params } = body;
  if (!isJsonObject(params) || !isJsonObject(params.notifications)) return undefined;
  if (params.notifications.taskIds === undefined || declares(params._meta)) return undefined;
  const error = {
    code: ProtocolErrorCode.MissingRequiredClientCapability,
    message: `Cannot subscribe to tasks: the request does not declare the capability "${TASKS}"`,
    data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
  };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
}

function declares(meta: unknown): boolean {
  return isJsonObject(meta) && knowsTasks(meta[CLIENT_CAPABILITIES_META_KEY]);
}

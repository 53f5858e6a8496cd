import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../shared/json.ts";
import {
  type CallOutcome,
  type Refusal,
  toArguments,
  type ToolResource,
  type ToolResult,
} from "../tool/result.ts";
import type { ToolService } from "../tool/service.ts";
import { type McpCaller, toCallOptions } from "./mcp_caller.ts";

/** Whose resources are read, and by which tools. */
interface ResourceParts {
  readonly server: Server;
  readonly service: Pick<ToolService, "resources" | "call">;
  readonly caller: McpCaller;
}

/**
 * Adds the methods of resources: each is what a tool reads (see `ResourceConfig`). There are too many
 * to list, so the list is empty; results of tools link to some, and the templates say the others.
 */
export function addResourceMethods({ server, service, caller }: ResourceParts): void {
  const offered = () => service.resources(caller.caller);
  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: (await offered()).map(({ name, template }) => ({
      name,
      uriTemplate: template.text,
    })),
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const { resource, args } = find(uri, await offered());
    const options = { ...toCallOptions(caller, mcpReq), client: mcpReq };
    return toResult(uri, resource, args, await service.call(resource.tool, args, options));
  });
}

function find(uri: string, offered: readonly ToolResource[]) {
  for (const resource of offered) {
    const variables = resource.template.match(uri);
    if (variables === undefined) continue;
    return { resource, args: toArguments(variables, resource.inputSchema) };
  }
  throw new ResourceNotFoundError(uri);
}

/** Begins the keys of metadata that are this server's. */
const PREFIX = "io.trestle/";

function toResult(
  uri: string,
  { contents }: ToolResource,
  args: JsonObject,
  outcome: CallOutcome,
): ReadResourceResult {
  if (!outcome.ok) throw toError(uri, outcome.refusal);
  const read = contents(outcome.result, args);
  const meta = metaOf(outcome.result, read);
  return {
    contents: [{ uri, ...read, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) }],
  };
}

/** What else the answer has, such as where to go on. */
function metaOf({ structuredContent = {} }: ToolResult, contents: object): JsonObject {
  const values: unknown[] = Object.values(contents);
  const rest = Object.entries(structuredContent).filter(([, value]) => !values.includes(value));
  return Object.fromEntries(rest.map(([key, value]) => [`${PREFIX}${key}`, value]));
}

const NOT_FOUND = /NOT_FOUND$/;
/** Refusals that are no fault of the request. */
const OF_SERVER: ReadonlySet<Refusal["kind"]> = new Set(["BUSY", "SHUTTING_DOWN", "TOOL_CRASHED"]);

function toError(uri: string, { kind, code, message, rpcError }: Refusal): ProtocolError {
  if (rpcError !== undefined) return new ProtocolError(rpcError.code, message, rpcError.data);
  if (NOT_FOUND.test(code)) return new ResourceNotFoundError(uri, message);
  const { InternalError, InvalidParams } = ProtocolErrorCode;
  return new ProtocolError(OF_SERVER.has(kind) ? InternalError : InvalidParams, message, {
    uri,
    code,
  });
}

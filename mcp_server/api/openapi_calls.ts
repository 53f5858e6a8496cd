import { json, refTo } from "./openapi_parts.ts";
import { problemResponses } from "./openapi_problems.ts";

const STRING = { type: "string" };
const COUNT = { type: "integer", minimum: 0 };

/** The schemas of running calls, for the OpenAPI document. */
export const CALL_SCHEMAS: Readonly<Record<string, object>> = {
  LiveCall: {
    type: "object",
    description: "A call that runs on this server",
    required: ["id", "tool", "caller", "transport", "startedAt", "elapsedMs", "stopping"],
    properties: {
      id: { ...STRING, description: "Id of the call, also in its lines of the audit" },
      tool: STRING,
      caller: { ...STRING, description: "Name of the caller" },
      transport: { ...STRING, enum: ["http", "mcp-http", "mcp-stdio", "embedded", "job"] },
      address: { ...STRING, description: "Address of the client, or of the proxy" },
      startedAt: { ...STRING, format: "date-time" },
      elapsedMs: { ...COUNT, description: "How long it has been running" },
      job: { ...STRING, description: "Id of the job, if the call is a run of one" },
      stopping: { type: "boolean", description: "Whether it was stopped and has not ended yet" },
    },
  },
  LiveCallList: {
    type: "object",
    required: ["calls", "more"],
    properties: {
      calls: { type: "array", items: refTo("LiveCall"), maxItems: 1_000 },
      more: { ...COUNT, description: "How many further calls run" },
    },
  },
};

/** The operations on running calls, for the OpenAPI document. */
export const CALL_PATHS: Readonly<Record<string, object>> = {
  "/api/calls": {
    get: {
      operationId: "listCalls",
      tags: ["calls"],
      summary: "Lists the running calls of this server",
      description: "The call that began first is at the top. An admin sees those of all callers.",
      responses: {
        200: { description: "The running calls", content: json(refTo("LiveCallList")) },
        ...problemResponses(["INSUFFICIENT_SCOPE"]),
      },
    },
  },
  "/api/calls/{id}": {
    parameters: [{
      name: "id",
      in: "path",
      required: true,
      description: "Of the call",
      schema: STRING,
    }],
    delete: {
      operationId: "stopCall",
      tags: ["calls"],
      summary: "Stops a running call",
      description: "Stops a call with all its processes. Its client is answered with CANCELLED.",
      responses: {
        200: { description: "The call, which has ended", content: json(refTo("LiveCall")) },
        202: {
          description: "The call, which has not ended within 5 s",
          content: json(refTo("LiveCall")),
        },
        ...problemResponses(["INSUFFICIENT_SCOPE", "CALL_NOT_FOUND"]),
      },
    },
  },
};

import { MOST_RETRIES } from "../tool/fleet.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../shared/json.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { JOB_SCHEMAS } from "./openapi_job_schemas.ts";
import { ASYNC_PARAMETERS, asyncResponse, JOB_PATHS } from "./openapi_jobs.ts";
import { CALL_PATHS, CALL_SCHEMAS } from "./openapi_calls.ts";
import { COMMON_SCHEMAS, json, refTo } from "./openapi_parts.ts";
import { type ProblemCode, problemResponses } from "./openapi_problems.ts";

/**
 * Describes the HTTP API as an OpenAPI 3.1 document, from the schemas that check the calls. The
 * arguments and the output of each tool are schemas of their own, `<tool>-args` and
 * `<tool>-output`, so that client generators create a named type for each.
 */
export function toOpenApi(tools: readonly ToolDefinition[], version: string): object {
  return {
    openapi: "3.1.1",
    info: {
      title: "Trestle tool server",
      version,
      description: "Runs commands, scripts, file operations and SQL on the server's host.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that this document comes from" }],
    tags: [
      { name: "tools", description: "The tools and their calls" },
      { name: "calls", description: "The calls that run" },
      { name: "jobs", description: "Calls that continue by themselves" },
      { name: "server", description: "The server itself" },
    ],
    security: [{ bearer: [] }],
    paths: {
      "/api": { post: callOperation(tools) },
      "/api/tools": { get: listOperation() },
      ...CALL_PATHS,
      ...JOB_PATHS,
      "/api/me": { get: callerOperation() },
      "/healthz": { get: healthOperation() },
      "/readyz": { get: readinessOperation() },
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: {
        ...COMMON_SCHEMAS,
        ...CALL_SCHEMAS,
        ...JOB_SCHEMAS,
        ...Object.fromEntries(tools.flatMap(toComponents)),
      },
    },
  };
}

/** What a call may be answered with, also one that becomes a job. */
const CALL_CODES: readonly ProblemCode[] = [
  "BODY_UNREADABLE",
  "MALFORMED_JSON",
  "INSUFFICIENT_SCOPE",
  "UNKNOWN_TOOL",
  "JOB_NOT_FOUND",
  "BODY_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "INVALID_ARGUMENTS",
  "TOOL_FAILED",
  "IDEMPOTENCY_KEY_REUSED",
  "BUSY",
  "CANCELLED",
  "TOOL_CRASHED",
  "JOB_LOST",
  "SHUTTING_DOWN",
  "JOBS_UNAVAILABLE",
  "TEMP_FOLDER_UNUSABLE",
  "STORAGE_FULL",
];

const STDIN = {
  type: "boolean",
  description: "Whether the job takes input; only with Prefer: respond-async",
};

const ON = {
  type: "string",
  description: "A label, or name:<server>; only with Prefer: respond-async",
};

const RETRIES = {
  type: "integer",
  minimum: 0,
  maximum: MOST_RETRIES,
  default: 0,
  description: "How often the job is started again if its server is gone; as above",
};

function callOperation(tools: readonly ToolDefinition[]): object {
  return {
    operationId: "callTool",
    tags: ["tools"],
    summary: "Carries out one tool call",
    description: "Sends events while the tool runs if the client accepts text/event-stream. " +
      "With Prefer: respond-async the call is a job, which continues without the client.",
    parameters: ASYNC_PARAMETERS,
    requestBody: { required: true, content: json({ oneOf: tools.map(toCallSchema) }) },
    responses: {
      200: {
        description:
          "The tool's output; with Accept: text/event-stream, events and then the output",
        content: {
          ...json({ anyOf: tools.map(({ name }) => refTo(`${name}-output`)) }),
          "text/event-stream": { schema: { type: "string" } },
        },
      },
      202: asyncResponse(),
      ...problemResponses(CALL_CODES),
    },
  };
}

function toCallSchema({ name, title, description, inputSchema }: ToolDefinition): object {
  const { required } = inputSchema;
  const needsArgs = Array.isArray(required) && required.length > 0;
  return {
    type: "object",
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    required: needsArgs ? ["tool", "args"] : ["tool"],
    additionalProperties: false,
    properties: {
      tool: { type: "string", const: name },
      args: refTo(`${name}-args`),
      stdin: STDIN,
      on: ON,
      retries: RETRIES,
    },
  };
}

function toComponents({ name, inputSchema, outputSchema }: ToolDefinition): [string, object][] {
  const output = outputSchema ?? { type: "object", additionalProperties: true };
  return [
    [`${name}-args`, embed(inputSchema, `${name}-args`)],
    [`${name}-output`, embed(output, `${name}-output`)],
  ];
}

/** Rewrites a schema's references to itself for its position in the document. */
function embed(schema: JsonObject, component: string): object {
  if ("$id" in schema) return schema;
  const inner = (value: JsonValue | undefined): JsonValue | undefined => {
    if (Array.isArray(value)) return value.map((entry) => inner(entry) ?? null);
    return isJsonObject(value) ? rewritten(value) : value;
  };
  const rewritten = (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key,
        key === "$ref" && typeof value === "string" && value.startsWith("#")
          ? `${refTo(component).$ref}${value.slice(1)}`
          : inner(value),
      ]),
    );
  return rewritten(schema);
}

function listOperation(): object {
  return {
    operationId: "listTools",
    tags: ["tools"],
    summary: "Lists the tools with their JSON Schemas",
    description: "Lists every tool in a fixed order.",
    responses: {
      200: {
        description: "Every tool",
        content: json({
          type: "object",
          required: ["tools"],
          properties: { tools: { type: "array", items: refTo("Tool") } },
        }),
      },
      ...problemResponses(),
    },
  };
}

function callerOperation(): object {
  const texts = { type: "array", items: { type: "string" } };
  return {
    operationId: "getCaller",
    tags: ["server"],
    summary: "Describes the caller",
    description: "Without rights, the caller may do everything.",
    responses: {
      200: {
        description: "The caller",
        content: json({
          type: "object",
          required: ["name"],
          properties: { name: { type: "string" }, rights: { type: "object" }, scopes: texts },
        }),
      },
      ...problemResponses(),
    },
  };
}

function healthOperation(): object {
  return {
    operationId: "health",
    tags: ["server"],
    summary: "Reports that the server answers",
    description:
      "Needs no token; a proxy in front of the server may require one. With `verbose`, " +
      "which needs the token, the answer is JSON and says how commands are contained. While a " +
      "part of the server takes long to load, the answer is 503, as text that names it.",
    security: [],
    parameters: [{
      name: "verbose",
      in: "query",
      schema: { type: "string" },
      allowEmptyValue: true,
    }],
    responses: {
      200: {
        description: "ok",
        content: {
          "text/plain": { schema: { type: "string" } },
          "application/json": { schema: { type: "object" } },
        },
      },
      ...problemResponses(),
    },
  };
}

function readinessOperation(): object {
  return {
    operationId: "readiness",
    tags: ["server"],
    summary: "Reports that the server takes work",
    description:
      "Needs no token. 503, as text that says why, while the server starts and once it " +
      "is to stop: send new requests to another server.",
    security: [],
    responses: {
      200: { description: "ready", content: { "text/plain": { schema: { type: "string" } } } },
      ...problemResponses(),
    },
  };
}

import type { ToolDefinition } from "../domain/tool.ts";

const PROBLEM_SCHEMA = {
  type: "object",
  required: ["status", "title", "detail", "code"],
  properties: {
    status: { type: "integer" },
    title: { type: "string" },
    detail: { type: "string" },
    code: { type: "string" },
    issues: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: {
          path: { type: "array", items: { type: ["string", "integer"] } },
          message: { type: "string" },
        },
      },
    },
  },
};

const PROBLEMS: Readonly<Record<number, string>> = {
  400: "The body is not JSON, or has not the shape of a call",
  401: "No token, or one that is not known",
  403: "The Host or Origin header is not allowed",
  404: "No tool has this name",
  413: "The body is too large",
  415: "The body is not application/json",
  422: "The arguments are wrong, or the tool can't do what it is asked",
  429: "Too much is under way; try again after the seconds in Retry-After",
  500: "The tool crashed",
  503: "The server is shutting down",
};

/** Describes the HTTP API as an OpenAPI 3.1 document, from the schemas that check the calls. */
export function toOpenApi(tools: readonly ToolDefinition[], version: string): object {
  return {
    openapi: "3.1.1",
    info: { title: "Trestle tool server", version },
    security: [{ bearer: [] }],
    paths: {
      "/api": { post: callOperation(tools) },
      "/api/tools": { get: listOperation() },
      "/healthz": { get: healthOperation() },
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Problem: PROBLEM_SCHEMA },
    },
  };
}

function callOperation(tools: readonly ToolDefinition[]): object {
  return {
    operationId: "callTool",
    summary: "Carries out one tool call",
    requestBody: { required: true, content: json({ oneOf: tools.map(toCallSchema) }) },
    responses: {
      200: {
        description:
          "The tool's output; with Accept: text/event-stream, events and then the output",
        content: { ...json({ anyOf: tools.map(toOutputSchema) }), "text/event-stream": {} },
      },
      ...Object.fromEntries(
        Object.entries(PROBLEMS).map(([status, description]) => [status, {
          description,
          content: {
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
          },
        }]),
      ),
    },
  };
}

function toCallSchema({ name, title, description, inputSchema }: ToolDefinition): object {
  return {
    type: "object",
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    required: ["tool"],
    additionalProperties: false,
    properties: { tool: { const: name }, args: inputSchema },
  };
}

function toOutputSchema({ name, outputSchema }: ToolDefinition): object {
  return { title: `Output of ${name}`, ...(outputSchema ?? { type: "object" }) };
}

function listOperation(): object {
  const tool = { type: "object", required: ["name", "inputSchema"] };
  const schema = { type: "object", properties: { tools: { type: "array", items: tool } } };
  return {
    operationId: "listTools",
    summary: "Lists the tools with their JSON Schemas",
    responses: { 200: { description: "Every tool", content: json(schema) } },
  };
}

function healthOperation(): object {
  return {
    operationId: "health",
    summary: "Tells that the server answers",
    security: [],
    responses: { 200: { description: "ok", content: { "text/plain": {} } } },
  };
}

function json(schema: object): Record<string, object> {
  return { "application/json": { schema } };
}

const JSON_OBJECT = { type: "object", additionalProperties: true };

/** The schemas of the HTTP API that don't depend on the tools. */
export const COMMON_SCHEMAS: Readonly<Record<string, object>> = {
  Problem: {
    type: "object",
    description: "What is wrong with a request (RFC 9457)",
    required: ["status", "title", "detail", "code"],
    properties: {
      status: { type: "integer" },
      title: { type: "string" },
      detail: { type: "string" },
      code: { type: "string", description: "Stable name of the failure" },
      issues: {
        type: "array",
        description: "What is wrong with each argument, 100 at most",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: {
            path: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
            message: { type: "string" },
          },
        },
      },
      moreIssues: { type: "integer", description: "How many further issues there are" },
    },
  },
  Tool: {
    type: "object",
    description: "A tool, with the JSON Schemas (2020-12) of its arguments and its output",
    required: ["name", "inputSchema"],
    properties: {
      name: { type: "string" },
      title: { type: "string" },
      description: { type: "string" },
      annotations: {
        type: "object",
        properties: {
          title: { type: "string" },
          readOnlyHint: { type: "boolean" },
          destructiveHint: { type: "boolean" },
          idempotentHint: { type: "boolean" },
          openWorldHint: { type: "boolean" },
        },
      },
      inputSchema: JSON_OBJECT,
      outputSchema: JSON_OBJECT,
      _meta: JSON_OBJECT,
    },
  },
};

const PROBLEMS: Readonly<Record<number, string>> = {
  400: "The body is not JSON, or not a call, or the Authorization header is malformed",
  401: "No token, or one that is not known",
  403: "The Host, the Origin, the tool or the scope of the token is not allowed",
  404: "No tool has this name",
  413: "The body is too large",
  415: "The body is not application/json",
  422: "The arguments are wrong, or the tool can't do what they request",
  429: "The server is busy; try again after the seconds in Retry-After",
  499: "The call was stopped: by its client, by another request, or with its job",
  500: "The tool crashed",
  503: "The server is shutting down, or can't check the token now",
  507: "The temporary folder of the server is full, missing or read-only",
};

/** The responses of the status codes, each with a problem as its body; their texts can be replaced. */
export function problemResponses(
  statuses: readonly number[],
  texts: Readonly<Record<number, string>> = {},
): Record<number, object> {
  const content = { "application/problem+json": { schema: refTo("Problem") } };
  return Object.fromEntries(statuses.map((status) => [status, {
    description: texts[status] ?? PROBLEMS[status],
    content,
  }]));
}

/** A JSON body of a schema. */
export function json(schema: object): Record<string, object> {
  return { "application/json": { schema } };
}

/** A reference to a schema of the document. */
export function refTo(component: string): { $ref: string } {
  return { $ref: `#/components/schemas/${component}` };
}

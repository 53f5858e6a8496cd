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

/** A JSON body of a schema. */
export function json(schema: object): Record<string, object> {
  return { "application/json": { schema } };
}

/** A reference to a schema of the document. */
export function refTo(component: string): { $ref: string } {
  return { $ref: `#/components/schemas/${component}` };
}

import { type Code, CODES, problemBody, problemOf } from "../http/problem.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../shared/json.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import api from "./openapi.json" with { type: "json" };

/**
 * Describes the HTTP API as an OpenAPI 3.1 document: what `openapi.json` says of every path, the schemas
 * that check the calls, and the problems. The arguments and the output of each tool are schemas of their
 * own, `<tool>-args` and `<tool>-output`, so that client generators create a named type for each.
 */
export function toOpenApi(tools: readonly ToolDefinition[], version: string): object {
  const paths = { ...api.paths, "/api": { post: describeCall(tools) } };
  const schemas = Object.fromEntries(tools.flatMap(toComponents));
  return {
    ...api,
    info: { ...api.info, version },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [path, describeProblems(operations)]),
    ),
    components: { ...api.components, schemas: { ...api.components.schemas, ...schemas } },
  };
}

/** The operation of calls, with the arguments and the output of each tool. */
function describeCall(tools: readonly ToolDefinition[]): object {
  const { requestBody, responses, ...operation } = api.paths["/api"].post;
  const output = { anyOf: tools.map(({ name }) => refTo(`${name}-output`)) };
  return {
    ...operation,
    requestBody: {
      ...requestBody,
      content: { "application/json": { schema: { oneOf: tools.map(toCallSchema) } } },
    },
    responses: {
      ...responses,
      200: {
        ...responses[200],
        content: { ...responses[200].content, "application/json": { schema: output } },
      },
    },
  };
}

const [ANY_CALL] = api.paths["/api"].post.requestBody.content["application/json"].schema.oneOf;

function toCallSchema({ name, title, description, inputSchema }: ToolDefinition): object {
  const { required } = inputSchema;
  const needsArgs = Array.isArray(required) && required.length > 0;
  return {
    ...ANY_CALL,
    title,
    description,
    required: needsArgs ? ["tool", "args"] : ["tool"],
    properties: {
      ...ANY_CALL?.properties,
      tool: { type: "string", const: name },
      args: refTo(`${name}-args`),
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

/** A reference to a schema of the document. */
function refTo(component: string): { $ref: string } {
  return { $ref: `#/components/schemas/${component}` };
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

/** What any request may be answered with. */
const ANY: readonly Code[] = [
  "BAD_REQUEST",
  "HOST_MISSING",
  "UNAUTHORIZED",
  "HOST_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "NOT_ALLOWED",
  "INTERNAL",
  "ISSUER_UNAVAILABLE",
];

/** Adds the responses that are problems to each operation: those of its `x-codes`, and of any. */
function describeProblems(operations: object): object {
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => {
      if (!isJsonObject(operation) || !("x-codes" in operation)) return [method, operation];
      const { "x-codes": own, responses, ...rest } = operation;
      const codes = [...ANY, ...[own].flat().map(toCode)];
      return [method, { ...rest, responses: { ...Object(responses), ...problemResponses(codes) } }];
    }),
  );
}

function toCode(name: unknown): Code {
  const code = Object.keys(CODES).find((one): one is Code => one === name);
  if (code === undefined) throw new TypeError(`Cannot describe the code "${name}": it has no row`);
  return code;
}

/** The responses of an operation that are problems, by status: each code with an example. */
function problemResponses(codes: readonly Code[]): Record<string, object> {
  const statuses = new Set(codes.map((code) => CODES[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      problemResponse(status, codes.filter((code) => CODES[code].status === status)),
    ]),
  );
}

const RETRY_AFTER = {
  description: "When to try again, in seconds, if that is known",
  schema: { type: "string" },
};

function problemResponse(status: number, codes: readonly Code[]): object {
  const examples = codes.map((code) => {
    const { meaning } = CODES[code];
    return [code, { summary: meaning, value: problemBody(problemOf(code, meaning)) }];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${CODES[code].meaning}`).join(". "),
    headers: status === 429 || status === 503 ? { "Retry-After": RETRY_AFTER } : undefined,
    content: {
      "application/problem+json": {
        schema: refTo("Problem"),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

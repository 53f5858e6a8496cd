import { buildResponse, type StandardSchema, type ToolModule } from "@trestle/mcp-server/toolkit";

/** Keywords of JSON Schema 2020-12 that no zod schema generates. */
const INPUT = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const inputSchema: StandardSchema = {
  "~standard": {
    version: 1,
    vendor: "conformance",
    validate: (value) => ({ value }),
    jsonSchema: { input: () => INPUT, output: () => INPUT },
  },
};

const register: ToolModule = ({ mcpServer, toolName }) => {
  const description = "Tool with JSON Schema 2020-12 features";
  mcpServer.registerTool(toolName, { description, inputSchema }, () => buildResponse({}));
};

export default register;

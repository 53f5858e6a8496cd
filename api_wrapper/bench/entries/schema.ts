export { api, SchemaError } from "../../schema.ts";

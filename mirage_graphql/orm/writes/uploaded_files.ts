import { getNamedType, isLeafType, isObjectType } from "graphql";
import { urlOf } from "../../file_url.ts";
import { labelOfModel, type WriteContext } from "./write_context.ts";

/**
 * Replaces uploaded files with their URLs, in lists too, and adds their names where the type has
 * a field for them: `<field>Name` or `filename`.
 */
export function storeFiles(
  context: WriteContext,
  modelName: string,
  attributes: Record<string, unknown>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const [file] = values.filter(isFile);
    if (file === undefined) continue;
    attributes[name] = Array.isArray(value) ? values.map(toUrl) : toUrl(value);
    const nameField = [`${name}Name`, "filename"].find((field) =>
      isLeafField(context, modelName, field)
    );
    if (nameField !== undefined && isGiven(file.name)) attributes[nameField] ??= file.name;
  }
}

function isFile(value: unknown): value is Blob & { readonly name?: string } {
  return typeof Blob === "function" && value instanceof Blob;
}

function toUrl(value: unknown): unknown {
  return isFile(value) ? urlOf(value) : value;
}

function isGiven(name: string | undefined): name is string {
  return name !== undefined && name !== "";
}

function isLeafField(context: WriteContext, modelName: string, name: string): boolean {
  const type = context.graphQLSchema.getType(labelOfModel(context, modelName));
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return field !== undefined && isLeafType(getNamedType(field.type));
}

import { belongsTo } from "miragejs";
import type { MirageSchema } from "./mock_schema.ts";

/** The dasherized names of the models that Mirage knows, by {@linkcode nameKey}. */
export function registeredModelNames(mirageSchema: MirageSchema): Map<string, string> {
  const names = new Map<string, string>();
  for (const entry of Object.values<unknown>({ ...mirageSchema })) {
    if (!isModelEntry(entry)) continue;
    const { modelName } = mirageSchema.modelClassFor(entry.camelizedModelName);
    names.set(nameKey(modelName), modelName);
  }
  return names;
}

/** What is equal in `HTTPLog`, `httpLog`, `http_log`, `http-log` and `hTTPLog`. */
export function nameKey(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

/** The dasherized name that Mirage gives the model of a GraphQL type, such as `http-log`. */
export function toModelName(typeName: string): string {
  // Mirage drops what is cut here when it camelizes, and would know the model by two names.
  return dasherize(typeName).replaceAll(/-+/g, "-").replaceAll(/^-|-$|-(?=\d)/g, "");
}

function dasherize(name: string): string {
  const association: unknown = belongsTo(name);
  return (association as { readonly modelName: string }).modelName;
}

function isModelEntry(entry: unknown): entry is { readonly camelizedModelName: string } {
  return typeof entry === "object" && entry !== null && "camelizedModelName" in entry &&
    typeof entry.camelizedModelName === "string";
}

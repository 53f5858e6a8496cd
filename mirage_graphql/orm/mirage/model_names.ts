import { belongsTo } from "miragejs";
import { keyOf } from "../../shared/names.ts";
import { isMirageAssociation, type MirageSchema } from "./mirage_schema.ts";

/** The dasherized name of the registered model for a type; `undefined` if there is none. */
export type FindModelName = (typeName: string) => string | undefined;

/**
 * Finds registered models, whatever the casing of their names and the types': the model of
 * `HTTPLog` may be registered as `http-log`, `httpLog` or `hTTPLog`.
 */
export function modelNameFinder(registered: readonly string[]): FindModelName {
  const names = new Map(registered.map((modelName) => [keyOf(modelName), modelName]));
  const exact = new Set(registered);
  return (typeName) => {
    const modelName = toModelName(typeName);
    return exact.has(modelName) ? modelName : names.get(keyOf(typeName));
  };
}

/** The dasherized names of the registered models, in the order of registration. */
export function registeredModels(mirageSchema: MirageSchema): string[] {
  return Object.values<unknown>({ ...mirageSchema }).filter(isModelEntry).map((entry) =>
    mirageSchema.modelClassFor(entry.camelizedModelName).modelName
  );
}

/** The dasherized name that Mirage gives the model of a GraphQL type, such as `http-log`. */
export function toModelName(typeName: string): string {
  const association: unknown = belongsTo(typeName);
  const dasherized = isMirageAssociation(association) ? association.modelName : typeName;
  // Mirage drops these dashes when it camelizes, so the model would have two names.
  return dasherized.replaceAll(/-+/g, "-").replaceAll(/^-|-$|-(?=\d)/g, "");
}

function isModelEntry(entry: unknown): entry is { readonly camelizedModelName: string } {
  return typeof entry === "object" && entry !== null && "camelizedModelName" in entry &&
    typeof entry.camelizedModelName === "string";
}

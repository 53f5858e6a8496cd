import { Model } from "miragejs";
import type { MirageAssociation, MirageSchema } from "./mirage.ts";

/**
 * Registers a model with its associations.
 *
 * @throws {TypeError} Where Mirage doesn't see the associations: the schema is of another copy of
 * Mirage, such as one that a bundler includes a second time.
 */
export function registerModel(
  mirageSchema: MirageSchema,
  modelName: string,
  associations: Readonly<Record<string, MirageAssociation>>,
): void {
  mirageSchema.registerModel(modelName, Model.extend(associations));
  const registered = mirageSchema.associationsFor(modelName);
  const missing = Object.keys(associations).find((name) => !(name in registered));
  if (missing === undefined) return;
  throw new TypeError(
    `Cannot register "${missing}" of the model "${modelName}": the mock schema is of another copy ` +
      'of "miragejs" than the one that this library imports',
  );
}

import type { MockModel } from "../orm/models/model_map.ts";
import { nameKey } from "../orm/models/model_names.ts";

const WORDS = [
  "create|add|new|insert|make|register",
  "update|edit|change|modify|patch|set",
  "delete|remove|destroy",
  "one|an|a|the|by|id|pk",
  "input|data|attributes|attrs|fields|values|params|type",
].join("|");

/**
 * The model that a name tells by convention: `deletePerson`, `remove_people`, `personDelete` and
 * `UpdatePersonInput` all tell `Person`; `undefined` where no model's name is in it.
 */
export function namedModel(name: string, models: readonly MockModel[]): MockModel | undefined {
  const key = nameKey(name);
  const matches = models.flatMap((model) =>
    [nameKey(model.typeName), nameKey(model.collectionName)]
      .filter((modelKey) => isNamed(key, modelKey))
      .map((modelKey) => ({ model, length: modelKey.length }))
  );
  // The longest name is the one meant: `createNewPost` tells `NewPost` where there is one.
  const [best] = matches.sort((one, other) => other.length - one.length);
  return best?.model;
}

function isNamed(key: string, modelKey: string): boolean {
  return new RegExp(`^(?:${WORDS})*${modelKey}(?:${WORDS})*$`).test(key);
}

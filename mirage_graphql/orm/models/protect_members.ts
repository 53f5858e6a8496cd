import type { MirageModelClass } from "../mirage.ts";
import { isModelMember } from "./association_names.ts";
import type { MockModel } from "./model_map.ts";

const STEPS = ["_validateAttr", "_setupAttr", "_setupRelationship"] as const;

/**
 * Keeps the members of Mirage's models whatever the fields of a type are named: an attribute such as
 * `attrs` or `toString` is only in `attrs`, where Mirage would replace its own member; and a
 * relation such as `constructor`, whose association has another name, can be set under its own:
 * `server.create("person", { constructor: post })`.
 *
 * @param prototype That of the model's class, which each server has for itself.
 */
export function protectMembers(prototype: MirageModelClass, { relations }: MockModel): void {
  if (Object.hasOwn(prototype, STEPS[0])) return;
  const taken = new Set(
    Array.from(relations.values(), ({ association, foreignKey }) => [association, foreignKey])
      .flat(),
  );
  const nameOf = (name: string) =>
    taken.has(name) ? name : relations.get(name)?.association ?? name;
  for (const step of STEPS) {
    const own = prototype[step];
    prototype[step] = function (this: MirageModelClass, name, value) {
      own.call(this, nameOf(name), value);
    };
  }
  const define = prototype._definePlainAttribute;
  prototype._definePlainAttribute = function (this: MirageModelClass, name) {
    if (name === "id" || !isModelMember(name)) define.call(this, name);
  };
}

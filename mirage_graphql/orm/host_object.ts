import { copyRecord } from "./copy_value.ts";
import { isObject, type MirageModel } from "./mock_schema.ts";
import { MockRecord, MODEL } from "./record_store.ts";
import { type Orm, toMirageModel } from "./orm.ts";
import { relatedModels } from "./related_models.ts";

const REPLACED = Symbol("names of relations that the host has set");

/** What the host's code gets to see of a record. */
interface HostObject {
  readonly [REPLACED]: ReadonlySet<string>;
}

/** Method of objects that hold records and know how to show themselves to the host's code. */
export const SHOW: unique symbol = Symbol("show to the host");

/** Shows a value to the host's code. */
export type Show = (value: unknown) => unknown;

/** An object that holds records, such as a page of them. */
export interface Showable {
  /** What the host's code gets to see, its records shown with the function. */
  [SHOW](show: Show): unknown;
}

/**
 * Shows a value to the host's code: a record as an object with its attributes, its `__typename`, and
 * its relations as Mirage's models and collections; so are the records in lists and pages, and the
 * promised ones. Other values stay what they are.
 */
export function toHostValue(orm: Orm, value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((item) => toHostValue(orm, item));
  if (value instanceof MockRecord) return toHostObject(orm, value);
  if (isShowable(value)) return value[SHOW]((held) => toHostValue(orm, held));
  return isPromise(value) ? value.then((settled) => toHostValue(orm, settled)) : value;
}

function isShowable(value: object): value is Showable {
  return SHOW in value;
}

function isPromise(value: object): value is PromiseLike<unknown> {
  return "then" in value && typeof value.then === "function";
}

/**
 * Whether an object shows a record and the host has not replaced what it says of the relation, so
 * that its foreign key may be followed without Mirage's models.
 */
export function showsRelation(value: object, name: string): boolean {
  return isHostObject(value) && !value[REPLACED].has(name);
}

function isHostObject(value: object): value is HostObject {
  return Object.hasOwn(value, REPLACED);
}

/** Getters are the object's own and enumerable, so that a spread of it is whole. */
function toHostObject(orm: Orm, record: MockRecord): object {
  const model = record[MODEL];
  const replaced = new Set<string>();
  const object = copyRecord(record);
  object.__typename = model.typeName;
  Object.defineProperty(object, REPLACED, { value: replaced });
  let mirageModel: MirageModel | undefined;
  const toModel = () => mirageModel ??= toMirageModel(orm, model, record);
  for (const name of model.getters) defineLazy(object, name, () => toModel()[name], replaced);
  for (const [name, relation] of model.relations) {
    let related: unknown;
    const read = () => related ??= relatedModels(orm, toModel(), relation);
    defineLazy(object, name, read, replaced);
  }
  return object;
}

/** A property that is read when it is asked for, and can be set to a value. */
function defineLazy(
  object: object,
  name: string,
  get: () => unknown,
  replaced: Set<string>,
): void {
  Object.defineProperty(object, name, {
    enumerable: true,
    configurable: true,
    get,
    set: (value) => {
      replaced.add(name);
      const plain = { value, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(object, name, plain);
    },
  });
}

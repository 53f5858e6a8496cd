import { hasField, type MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { longest } from "../mutation_name.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { NO_ITEM, type Values } from "../write_intent.ts";
import { flagChange } from "./flags.ts";
import { linkTo, type ParentLink } from "./parents.ts";
import type { RecordChange } from "./record_change.ts";
import { findReferred, keyNamed } from "./references.ts";
import { type InputLeaf, inputsOf } from "../mutation_input.ts";

/**
 * What a mutation does to all records of a model, or to those in a state, whose plural its name has:
 * `markAllTodos(complete)` changes all, `removeCompletedTodos` deletes those that are complete. An
 * argument that refers to the record that they belong to, `userId`, leaves the others alone.
 */
export function severalRecords(
  orm: Orm,
  { field, names, verb, refuse }: TypedField,
): RecordChange | undefined {
  const words = names.split(field.name);
  const mention = longest(names.mentions(words));
  if (
    mention === undefined || !isPlural(orm, mention.model, words.slice(mention.start, mention.end))
  ) {
    return undefined;
  }
  const { model } = mention;
  const [first = "", ...states] = words.toSpliced(mention.start, mention.end - mention.start);
  // `stopAllJobs` changes the state of all that have not ended
  const verbal = states.join() === "all" && field.args.length === 0
    ? flagChange(orm, model, [first], names.words)
    : undefined;
  const action = verb === "delete" || first === "clear" ? "delete" as const : "update" as const;
  const isAll = states.join() === "all";
  const isChange = action === "delete" || verbal !== undefined ||
    /^(mark|set|update|change)$/.test(first);
  const state = isAll || !isChange || states.length !== 1
    ? undefined
    : flagChange(orm, model, states, names.words);
  if (!isChange || !isAll && (state === undefined || action === "update")) return undefined;
  const inputs = inputsOf(field.args).filter(({ name }) => name !== "clientMutationId");
  const owners = inputs.flatMap((leaf) => ownerOf(orm, model, leaf) ?? []);
  const values = inputs.filter(({ name }) => owners.every(({ leaf }) => leaf.name !== name));
  const areValues = values.every(({ name }) => hasField(orm.graphQLSchema, model, name));
  if (!areValues || action === "update" && values.length === 0 && !verbal) return undefined;
  if (action === "delete" && values.length > 0) return undefined;
  const intent: RecordChange["intent"] = {
    ...{ action, models: [model], isPartial: false, refuse },
    read: (args) => [{
      ...NO_ITEM,
      keys: Object.fromEntries(owners.flatMap(({ leaf, owner }) => {
        const value = read(args, leaf.path);
        const [ref] = findReferred(orm, [{ model: owner, key: "id" }], value);
        return ref === undefined ? [] : [[leaf.name, ref.id]];
      })),
      values: Object.fromEntries(values.map(({ name, path }) => [name, read(args, path)])),
      changes: verbal === undefined ? [] : [["set", {}]],
    }],
    changed: (_item, record) => verbal?.(record) ?? {},
    find: ({ keys }) =>
      orm.store.of(model).select((record) =>
        hasState(record, state) && !(verbal && isOver(record)) && owners.every((argument) => {
          const id = keys[argument.leaf.name];
          return id === undefined || isOf(orm, record, argument, id);
        })
      ).map(({ id }) => ({ model, ref: { modelName: model.modelName, id: String(id) } })),
  };
  return { model, intent };
}

function isPlural({ mirageSchema }: Orm, { modelName }: MockModel, words: readonly string[]) {
  const last = words.at(-1) ?? "";
  return mirageSchema.toModelName(last) !== last &&
    modelName.endsWith(mirageSchema.toModelName(last));
}

/** An argument that refers to the record to which those of a model belong. */
interface OwnerArgument {
  readonly leaf: InputLeaf;
  readonly owner: MockModel;
  readonly link: ParentLink;
}

function ownerOf(orm: Orm, model: MockModel, leaf: InputLeaf): OwnerArgument | undefined {
  const found = orm.models.models.flatMap((owner): readonly OwnerArgument[] => {
    const link = keyNamed(orm, owner, leaf.name) === "id" ? linkTo(model, owner) : undefined;
    return link === undefined ? [] : [{ leaf, owner, link }];
  });
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

/** Whether a record belongs to the one that a call refers to. */
function isOf(orm: Orm, record: Values, { owner, link }: OwnerArgument, id: unknown): boolean {
  if (link.relation !== undefined) return String(record[link.relation.foreignKey]) === String(id);
  const ids = orm.store.of(owner).own(id)?.[link.list.foreignKey];
  return Array.isArray(ids) && ids.some((one) => String(one) === String(record.id));
}

/** Whether a record is as a change of its state would make it. */
function hasState(record: Values, state: ReturnType<typeof flagChange>): boolean {
  if (state === undefined) return true;
  return Object.entries(state(record)).every(([name, value]) =>
    typeof value !== "boolean" || record[name] === value
  );
}

/** Whether a record is at an end that nothing stops or starts any more. */
function isOver(record: Values): boolean {
  return Object.values(record).some((value) =>
    typeof value === "string" &&
    /^(finished|completed?|done|failed|cancell?ed|stopped)$/i.test(value)
  );
}

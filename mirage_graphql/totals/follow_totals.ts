import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import type { RecordRef } from "../orm/writes/record_ref.ts";
import type { Follow, FollowedWrites, TouchedRecord } from "../orm/writes/write_context.ts";
import {
  createPriceRules,
  type OwnerRule,
  type PriceContext,
  type PriceRules,
} from "./price_rules.ts";
import { type Line, lineValues, ownerValues } from "./price_values.ts";

/**
 * Keeps prices and numbers in step with the records that a mutation changes: a new line costs what
 * its item costs, the total of a line is its quantity times its unit price, and those of a cart are
 * the sums of its lines. Values that the mutation itself gives stay.
 */
export function followTotals(context: PriceContext): Follow {
  let rules: PriceRules | undefined;
  return (writes) => {
    rules ??= createPriceRules(context);
    if (rules.lines.size > 0) new Following(context, rules, writes).write();
  };
}

/** What a transaction has done to one record, in all its writes. */
interface Touched extends Pick<TouchedRecord, "ref" | "old"> {
  readonly names: Set<string>;
}

/** What follows from one transaction. */
class Following {
  readonly #context: PriceContext;
  readonly #rules: PriceRules;
  readonly #writes: FollowedWrites;
  readonly #touched = new Map<string, Touched>();
  readonly #owners = new Map<string, { readonly rule: OwnerRule; readonly ref: RecordRef }>();

  constructor(context: PriceContext, rules: PriceRules, writes: FollowedWrites) {
    this.#context = context;
    this.#rules = rules;
    this.#writes = writes;
    for (const { ref, old, attributes } of writes.touched) {
      const one = this.#touched.get(keyOfRef(ref)) ?? { ref, old, names: new Set() };
      for (const name of Object.keys(attributes)) one.names.add(name);
      this.#touched.set(keyOfRef(ref), one);
    }
  }

  write(): void {
    for (const one of this.#touched.values()) {
      this.#addOwner(one);
      this.#writeLine(one);
    }
    for (const { rule, ref } of this.#owners.values()) this.#writeOwner(rule, ref);
  }

  #addOwner({ ref, old, names }: Touched): void {
    const rule = this.#rules.owners.find(({ owner }) => owner.modelName === ref.modelName);
    if (rule === undefined) return;
    if (old === undefined || names.has(rule.relation.foreignKey)) this.#add(rule, ref);
  }

  #add(rule: OwnerRule, ref: RecordRef): void {
    this.#owners.set(keyOfRef(ref), { rule, ref });
  }

  /** Writes the prices of a line that has changed, and remembers whose line it is. */
  #writeLine({ ref, old, names }: Touched): void {
    const line = this.#lineAt(ref);
    if (line === undefined) return;
    const { quantity, units, item } = line.rule;
    const key = item?.relation.foreignKey ?? "";
    const isNew = old === undefined ||
      JSON.stringify(old[key]) !== JSON.stringify(line.record[key]);
    const isPriced = [quantity, ...units.map(({ path: [name = ""] }) => name)]
      .some((name) => names.has(name));
    if (!isNew && !isPriced) return;
    this.#change(ref, lineValues(line, { isNew, isFixed: (name) => names.has(name) }));
    for (const rule of this.#rules.owners) {
      const { owner: { modelName } } = rule;
      const hasLine = (record: MirageRecord) =>
        this.#refs(rule.owner, rule.relation, record).some((one) =>
          keyOfRef(one) === keyOfRef(ref)
        );
      for (const owner of this.#writes.select(modelName, hasLine)) this.#add(rule, owner);
    }
  }

  #writeOwner(rule: OwnerRule, ref: RecordRef): void {
    const record = this.#writes.find(ref);
    if (record === undefined) return;
    const { old, names } = this.#touched.get(keyOfRef(ref)) ?? { old: record, names: new Set() };
    const refs = this.#refs(rule.owner, rule.relation, record);
    const values = ownerValues(rule, { record, isFixed: (name) => names.has(name) }, {
      lines: refs.flatMap((one) => this.#lineAt(one) ?? []),
      before: old && this.#refs(rule.owner, rule.relation, old).length,
    });
    this.#change(ref, values);
  }

  #change(ref: RecordRef, values: MirageRecord): void {
    if (Object.keys(values).length > 0) this.#writes.change(ref, values);
  }

  /** The line that a reference leads to, with what it is about. */
  #lineAt(ref: RecordRef): Line | undefined {
    const rule = this.#rules.lines.get(ref.modelName);
    const record = rule && this.#writes.find(ref);
    if (rule === undefined || record === undefined) return undefined;
    const [item] = rule.item === undefined
      ? []
      : this.#refs(rule.model, rule.item.relation, record);
    return { rule, record, item: item && this.#writes.find(item) };
  }

  #refs(model: MockModel, relation: Relation, record: Readonly<MirageRecord>) {
    return this.#context.relationsOf.refs(model, relation, record);
  }
}

function keyOfRef({ modelName, id }: RecordRef): string {
  return `${modelName}:${id}`;
}

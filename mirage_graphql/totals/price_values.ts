import { addMoney, isHolder, type Share } from "./money.ts";
import type { LineRule, OwnerRule, PriceField } from "./price_rules.ts";

type Values = Readonly<Record<string, unknown>>;

/** A record whose prices follow others. */
export interface Priced {
  readonly record: Values;
  /** Whether a value stays as it is. */
  readonly isFixed: (name: string) => boolean;
}

/** A line, and what it is about, if there is such a record. */
export interface Line {
  readonly rule: LineRule;
  readonly record: Values;
  readonly item: Values | undefined;
}

/**
 * The prices of a line. With `isNew`, those of one piece are what the item costs, or else what the
 * line itself says, without a tax or a discount; those of all pieces are as many times as much.
 */
export function lineValues(
  { rule, record, item }: Line,
  { isFixed, isNew }: Pick<Priced, "isFixed"> & { readonly isNew: boolean },
): Record<string, unknown> {
  const values = new PriceValues({ record, isFixed });
  const given = rule.units.filter(({ path: [name = ""] }) => isFixed(name));
  for (const unit of isNew ? rule.units : []) {
    const price = priceLike(unit, given, record) ??
      priceLike(unit, rule.item?.prices ?? [], item ?? {}) ?? priceLike(unit, rule.units, record);
    values.set(unit, price);
  }
  for (const extra of isNew ? rule.extras : []) values.clear(extra);
  for (const total of rule.totals) {
    const share = unitShare({ rule, record: { ...record, ...values.written }, item }, total);
    values.set(total, share && addMoney([share]));
  }
  return values.written;
}

/** The lines of a record. */
export interface OwnLines {
  readonly lines: readonly Line[];
  /** How many it had before; `undefined` if the record is new. */
  readonly before: number | undefined;
}

/**
 * The totals of a record: the sums of its lines. What a total has beyond its subtotal, it keeps; if
 * there was no line before, that is the shipping. A new record has no tax and no discount. Values
 * that a line lacks leave totals as they are.
 */
export function ownerValues(
  { subtotals, totals, shipping, extras, quantities }: OwnerRule,
  { record, isFixed }: Priced,
  { lines, before }: OwnLines,
): Record<string, unknown> {
  const values = new PriceValues({ record, isFixed });
  const quantity = lines.reduce(
    (sum, { rule, record }) => sum + Number(record[rule.quantity] ?? 0),
    0,
  );
  for (const name of quantities) values.set({ path: [name] }, quantity);
  const sumOf = (field: PriceField): unknown => {
    const shares = lines.map((line) => totalShare(line, field) ?? unitShare(line, field));
    if (shares.length === 0) return addMoney([[valueAt(record, field), 0]]);
    return shares.every((share) => share !== undefined) ? addMoney(shares) : undefined;
  };
  for (const total of totals) {
    const [subtotal] = like(total, subtotals);
    const [more] = like(total, shipping);
    const own = subtotal && valueAt(record, subtotal);
    const old = valueAt(record, total);
    const added = more && valueAt(record, more);
    const extra: readonly Share[] = lines.length === 0
      ? []
      : before && isGiven(own) && isGiven(old)
      ? [[old, 1], [own, -1]]
      : isGiven(added)
      ? [[added, 1]]
      : [];
    values.set(total, addMoney([[sumOf(total), 1], ...extra]));
  }
  for (const subtotal of subtotals) values.set(subtotal, sumOf(subtotal));
  for (const extra of before === undefined ? extras : []) values.clear(extra);
  return values.written;
}

/** The price of all pieces that a line has itself. */
function totalShare({ rule, record }: Line, field: PriceField): Share | undefined {
  const [total] = like(field, rule.totals);
  const value = total && valueAt(record, total);
  return isGiven(value) ? [value, 1] : undefined;
}

/** The price of one piece, and how many there are. */
function unitShare({ rule, record, item }: Line, field: PriceField): Share | undefined {
  const [unit] = like(field, rule.units);
  const [price] = like(field, rule.item?.prices ?? []);
  const value = unit === undefined ? price && item && valueAt(item, price) : valueAt(record, unit);
  const quantity = record[rule.quantity];
  return isGiven(value) && typeof quantity === "number" ? [value, quantity] : undefined;
}

/** The fields of the same kind and type. */
function like(
  { type, kind, tax }: PriceField,
  fields: readonly PriceField[],
): readonly PriceField[] {
  return fields.filter((one) => one.type === type && one.kind === kind && one.tax === tax);
}

/** The price of the same kind, or else without a discount, or else without a tax. */
function priceLike(field: PriceField, fields: readonly PriceField[], record: Values): unknown {
  return [field, { ...field, kind: "" }, { ...field, kind: "", tax: "" }]
    .flatMap((one) => like(one, fields)).map((one) => valueAt(record, one)).find(isGiven);
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function valueAt(record: Values, { path }: Pick<PriceField, "path">): unknown {
  return path.reduce<unknown>((value, name) => isHolder(value) ? value[name] : undefined, record);
}

/** Values to write into a record, and into objects that it has. */
class PriceValues {
  readonly written: Record<string, unknown> = {};
  readonly #of: Priced;

  constructor(of: Priced) {
    this.#of = of;
  }

  /** Makes an amount zero. */
  clear(field: PriceField): void {
    this.set(field, addMoney([[valueAt(this.#of.record, field), 0]]));
  }

  set({ path: [name = "", inner] }: Pick<PriceField, "path">, value: unknown): void {
    if (value === undefined || this.#of.isFixed(name)) return;
    const whole = this.written[name] ?? this.#of.record[name];
    this.written[name] = inner === undefined
      ? value
      : { ...isHolder(whole) ? whole : {}, [inner]: value };
  }
}
